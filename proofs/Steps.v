(** What the steps of a chain of thought about an item state, and which verdicts on them are true.

    These definitions are what a reader has to believe of chains; they follow docs/traces.md and
    encodings/traces. *)
From Coq Require Import List Bool Arith ZArith.
From Hopcheck Require Import Meaning.
Import ListNotations.

(** * Orders *)

(** The item with further relations in its premise. *)
Definition extended (i : item) (rs : list relation) : item := Item (premise i ++ rs) (claimed i).

(** An order is derivable: by walks of its inequality; that two points are simultaneous, by walks
    without a strict step in both directions, so that nothing follows from a contradiction. *)
Definition order_derivable (i : item) (r : relation) : Prop :=
  match r with
  | (p, Simultaneous, q) => (exists n, walk i p false n q) /\ (exists n, walk i q false n p)
  | (p, o, q) => forall x, In x (compared p o q) -> derivable i x
  end.

Definition all_derivable (i : item) (rs : list relation) : Prop :=
  forall r, In r rs -> order_derivable i r.

(** One of these holds if the order does not. *)
Definition complements (r : relation) : list inequality :=
  match r with
  | (p, Simultaneous, q) => [Less p q; Less q p]
  | (p, o, q) => map opposite (compared p o q)
  end.

(** Orders are denied: the premise with them has no model; if it has none by itself, the complement
    of one is derivable. *)
Definition denied (i : item) (rs : list relation) : Prop :=
  (consistent i /\ ~ exists f, model (extended i rs) f) \/
  (~ consistent i /\ exists r x, In r rs /\ In x (complements r) /\ derivable i x).

(** Some model has the points in the order of their instants. *)
Definition fits (i : item) (at_instants : list (point * Z)) : Prop :=
  exists f, model i f /\ forall p a q b,
    In (p, a) at_instants -> In (q, b) at_instants -> ((a < b)%Z <-> (f p < f q)%Z).

(** * Statements *)

Inductive statement :=
  | Holds (rs : list relation)
  | Does_not_hold (rs : list relation)
  | Possible (rs : list relation)
  | Not_derivable (rs : list relation)
  | Left_open (rs : list relation)
  | On_timeline (at_instants : list (point * Z))
  | Answer (l : label)
  | Claim_contradictory
  | Premise_contradictory
  | Premise_consistent
  | Unreadable
  | Assumed
  | Takes_back.

(** Whether a statement is right, about an item with the label [l]. *)
Definition right (i : item) (l : label) (s : statement) : Prop :=
  match s with
  | Holds rs => all_derivable i rs
  | Does_not_hold rs => denied i rs
  | Possible rs => ~ denied i rs
  | Not_derivable rs => ~ all_derivable i rs
  | Left_open rs => ~ all_derivable i rs /\ ~ denied i rs
  | On_timeline a => fits i a
  | Answer k => k = l
  | Claim_contradictory => has_status i Contradictory
  | Premise_contradictory => ~ consistent i
  | Premise_consistent => consistent i
  | Unreadable | Assumed | Takes_back => True
  end.

(** * Verdicts *)

Inductive judgement :=
  | Contradicts | Open | Carried | Unread | Withdrawn | Follows | Restated | Silent.

(** The same order, read from either side. *)
Definition turned (r : relation) : relation :=
  match r with
  | (p, Before, q) => (q, After, p)
  | (p, After, q) => (q, Before, p)
  | (p, Simultaneous, q) => (q, Simultaneous, p)
  | (p, Not_after, q) => (q, Not_before, p)
  | (p, Not_before, q) => (q, Not_after, p)
  end.

(** What was stated so far: relations of the premise and of right statements, and of wrong ones. *)
Record memory := Memory { given : list relation; wrong : list relation }.

Definition restated (m : memory) (rs : list relation) : Prop :=
  forall r, In r rs -> In r (given m) \/ In (turned r) (given m).

(** Statements that are right or wrong, and nothing else. *)
Definition plainly (s : statement) : Prop :=
  match s with Holds _ | Unreadable | Assumed | Takes_back => False | _ => True end.

(** [judged i l m later s v]: the verdict [v] on the statement [s] is true, after what [m] keeps and
    before the statements [later]. Which statement is taken back is a matter of reading: a verdict of
    [Withdrawn] says only that something later takes something back. *)
Inductive judged (i : item) (l : label) (m : memory) (later : list statement) :
    statement -> judgement -> Prop :=
  | Is_restated rs : restated m rs -> judged i l m later (Holds rs) Restated
  | Holds_follows rs : ~ restated m rs -> all_derivable i rs -> judged i l m later (Holds rs) Follows
  | Holds_contradicts rs : ~ restated m rs -> ~ all_derivable i rs -> denied i rs ->
      judged i l m later (Holds rs) Contradicts
  | Holds_carried rs : ~ restated m rs -> ~ all_derivable i rs -> ~ denied i rs ->
      all_derivable (extended i (wrong m)) rs -> judged i l m later (Holds rs) Carried
  | Holds_open rs : ~ restated m rs -> ~ all_derivable i rs -> ~ denied i rs ->
      ~ all_derivable (extended i (wrong m)) rs -> judged i l m later (Holds rs) Open
  | Plainly_right s : plainly s -> right i l s -> judged i l m later s Follows
  | Plainly_wrong s : plainly s -> ~ right i l s -> judged i l m later s Contradicts
  | Is_unreadable : judged i l m later Unreadable Unread
  | Is_assumed : judged i l m later Assumed Silent
  | Is_taking_back : judged i l m later Takes_back Silent
  | Is_withdrawn s : s <> Unreadable -> In Takes_back later -> judged i l m later s Withdrawn.

(** What a statement adds, right or wrong. *)
Definition supplied (s : statement) : list relation :=
  match s with
  | Holds rs => rs
  | Does_not_hold [(p, Before, q)] => [(q, Not_after, p)]
  | Does_not_hold [(p, After, q)] => [(p, Not_after, q)]
  | Does_not_hold [(p, Not_after, q)] => [(q, Before, p)]
  | Does_not_hold [(p, Not_before, q)] => [(p, Before, q)]
  | _ => []
  end.

Definition remember (m : memory) (s : statement) (v : judgement) : memory :=
  match v with
  | Follows | Restated => Memory (given m ++ supplied s) (wrong m)
  | Contradicts | Open | Carried => Memory (given m) (wrong m ++ supplied s)
  | Unread | Withdrawn | Silent => m
  end.

(** Every statement of a chain has a true verdict. *)
Inductive all_judged (i : item) (l : label) : memory -> list (statement * judgement) -> Prop :=
  | None_left m : all_judged i l m []
  | One_more m s v rest : judged i l m (map fst rest) s v ->
      all_judged i l (remember m s v) rest -> all_judged i l m ((s, v) :: rest).

(** * Chains *)

(** From the worst on. *)
Definition severity (v : judgement) : nat :=
  match v with
  | Contradicts => 0 | Open => 1 | Carried => 2 | Unread => 3 | Withdrawn => 4 | Follows => 5
  | Restated => 6 | Silent => 7
  end.

Definition worst (vs : list judgement) : judgement :=
  fold_right (fun v w => if severity v <=? severity w then v else w) Silent vs.

(** A step is an error if it states something that contradicts or is open. *)
Definition erroneous (vs : list judgement) : bool :=
  existsb (fun v => match v with Contradicts | Open => true | _ => false end) vs.

Fixpoint first_erroneous (steps : list (list judgement)) : option nat :=
  match steps with
  | [] => None
  | vs :: rest => if erroneous vs then Some 0 else option_map S (first_erroneous rest)
  end.

(** The statements of each step with their verdicts, the verdict of the step, the first error. *)
Record chain := Chain {
  its_steps : list (list (statement * judgement) * judgement);
  its_first_error : option nat
}.

Definition judgements (c : chain) : list (list judgement) :=
  map (fun step => map snd (fst step)) (its_steps c).

(** All that a chain says of its steps is true, of an item with the label [l]. *)
Record true_of (i : item) (l : label) (c : chain) : Prop := True_of {
  statements_true : all_judged i l (Memory (premise i) []) (concat (map fst (its_steps c)));
  steps_true : map snd (its_steps c) = map worst (judgements c);
  first_error_true : its_first_error c = first_erroneous (judgements c)
}.
