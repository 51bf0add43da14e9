(** What an item is, and what is true of it: steps, walks, status, label, hops.

    These definitions are what a reader has to believe; everything else is proved from them. They
    follow docs/eventhop.md and the programs in encodings/temporal. *)
From Coq Require Import List Bool Arith ZArith.
Import ListNotations.

(** * Items *)

(** Events are numbered from 0; event [e] has the points [2 e] and [2 e + 1]. Every natural number
    is an event: one that an item does not mention has its duration and no other relation. *)
Definition event := nat.
Definition point := nat.
Definition start (e : event) : point := 2 * e.
Definition finish (e : event) : point := 2 * e + 1.

(** A sentence of a premise: [(p, Before, q)] reads [p < q], [After] [p > q], [Simultaneous]
    [p = q], [Not_after] [p <= q], [Not_before] [p >= q]. *)
Inductive order := Before | After | Simultaneous | Not_after | Not_before.
Definition relation := (point * order * point)%type.

(** Allen's thirteen relations between two events. *)
Inductive allen :=
  | Precedes | Meets | Overlaps | Finished_by | Contains | Starts | Equals
  | Started_by | During | Finishes | Overlapped_by | Met_by | Preceded_by.

(** A claim: one of the paper's three about two events, one of Allen's, or one about two points. *)
Inductive claim :=
  | Happens_before (a b : event)
  | Happens_after (a b : event)
  | Overlaps_with (a b : event)
  | Allen (a : event) (r : allen) (b : event)
  | Points (p : point) (o : order) (q : point).

(** A premise, and the claim about it. *)
Record item := Item { premise : list relation; claimed : claim }.

(** * Requirements of a claim *)

(** [p < q] or [p <= q]. *)
Inductive inequality := Less (p q : point) | At_most (p q : point).

(** The negation. *)
Definition opposite (r : inequality) : inequality :=
  match r with Less p q => At_most q p | At_most p q => Less q p end.

(** The point before and the point after the sign of an inequality. *)
Definition lower (r : inequality) : point := match r with Less p _ | At_most p _ => p end.
Definition upper (r : inequality) : point := match r with Less _ q | At_most _ q => q end.

(** The inequalities that a comparison of two points amounts to. *)
Definition compared (p : point) (o : order) (q : point) : list inequality :=
  match o with
  | Before => [Less p q]
  | After => [Less q p]
  | Simultaneous => [At_most p q; At_most q p]
  | Not_after => [At_most p q]
  | Not_before => [At_most q p]
  end.

(** The comparisons that define Allen's relation [r] of [a] to [b]: encodings/temporal/allen.lp. *)
Definition comparisons (a : event) (r : allen) (b : event) : list relation :=
  match r with
  | Precedes => [(finish a, Before, start b)]
  | Meets => [(finish a, Simultaneous, start b)]
  | Overlaps =>
      [(start a, Before, start b); (finish a, After, start b); (finish a, Before, finish b)]
  | Finished_by => [(start a, Before, start b); (finish a, Simultaneous, finish b)]
  | Contains => [(start a, Before, start b); (finish a, After, finish b)]
  | Starts => [(start a, Simultaneous, start b); (finish a, Before, finish b)]
  | Equals => [(start a, Simultaneous, start b); (finish a, Simultaneous, finish b)]
  | Started_by => [(start a, Simultaneous, start b); (finish a, After, finish b)]
  | During => [(start a, After, start b); (finish a, Before, finish b)]
  | Finishes => [(start a, After, start b); (finish a, Simultaneous, finish b)]
  | Overlapped_by =>
      [(start a, After, start b); (start a, Before, finish b); (finish a, After, finish b)]
  | Met_by => [(start a, Simultaneous, finish b)]
  | Preceded_by => [(start a, After, finish b)]
  end.

(** The inequalities whose conjunction is equivalent to the claim; meeting counts as before. *)
Definition requirements (c : claim) : list inequality :=
  match c with
  | Happens_before a b => [At_most (finish a) (start b)]
  | Happens_after a b => [At_most (finish b) (start a)]
  | Overlaps_with a b => [Less (start a) (finish b); Less (start b) (finish a)]
  | Allen a r b => flat_map (fun '(p, o, q) => compared p o q) (comparisons a r b)
  | Points p o q => compared p o q
  end.

(** The points of a claim: the four of its events, or its two. *)
Definition claimed_points (c : claim) : list point :=
  match c with
  | Happens_before a b | Happens_after a b | Overlaps_with a b | Allen a _ b =>
      [start a; finish a; start b; finish b]
  | Points p _ q => [p; q]
  end.

(** Whether the two sides of a claim are identical: one event, or one point, and itself. *)
Definition reflexive (c : claim) : bool :=
  match c with
  | Happens_before a b | Happens_after a b | Overlaps_with a b | Allen a _ b => a =? b
  | Points p _ q => p =? q
  end.

(** * Derivation *)

(** [step i p s w q]: a step from [p] to a later ([s] is true) or not earlier ([s] is false) point
    [q]. Its weight [w] is the number of premise relations in it: 1, or 0 for a duration. *)
Inductive step (i : item) : point -> bool -> nat -> point -> Prop :=
  | Duration e : step i (start e) true 0 (finish e)
  | Stated_before p q : In (p, Before, q) (premise i) -> step i p true 1 q
  | Stated_after p q : In (p, After, q) (premise i) -> step i q true 1 p
  | Stated_equal p q : In (p, Simultaneous, q) (premise i) -> step i p false 1 q
  | Stated_equal_back p q : In (p, Simultaneous, q) (premise i) -> step i q false 1 p
  | Stated_not_after p q : In (p, Not_after, q) (premise i) -> step i p false 1 q
  | Stated_not_before p q : In (p, Not_before, q) (premise i) -> step i q false 1 p.

(** [walk i p s n q]: a walk from [p] to [q] with [n] premise relations; [s] is true iff it is
    strict, that is, has a strict step. *)
Inductive walk (i : item) : point -> bool -> nat -> point -> Prop :=
  | Stay p : walk i p false 0 p
  | Go p s w q t n r : step i p s w q -> walk i q t n r -> walk i p (s || t) (w + n) r.

(** [derives i r n]: a walk of [n] premise relations derives the inequality [r]. *)
Inductive derives (i : item) : inequality -> nat -> Prop :=
  | Derives_less p n q : walk i p true n q -> derives i (Less p q) n
  | Derives_at_most p s n q : walk i p s n q -> derives i (At_most p q) n.

(** Some walk derives it. *)
Definition derivable (i : item) (r : inequality) : Prop := exists n, derives i r n.

(** A premise is consistent iff no point is derivably before itself. *)
Definition consistent (i : item) : Prop := forall p, ~ derivable i (Less p p).

(** * Status, label, hops *)

(** The pairs of points that are examined for a contradiction: two different claimed points, and for
    a reflexive claim a point with itself too. *)
Definition examined (c : claim) (p q : point) : Prop :=
  In p (claimed_points c) /\ In q (claimed_points c) /\ (p <> q \/ reflexive c = true).

(** Each of two examined points is derivably before the other. *)
Definition contradictory (i : item) : Prop :=
  exists p q, examined (claimed i) p q /\ derivable i (Less p q) /\ derivable i (Less q p).

(** The four statuses. *)
Inductive status := Entailed | Refuted | Unknown | Contradictory.

(** A contradiction comes first; otherwise a claim is entailed if all its requirements are
    derivable, and refuted if the opposite of one is. *)
Inductive has_status (i : item) : status -> Prop :=
  | Is_entailed :
      ~ contradictory i ->
      (forall r, In r (requirements (claimed i)) -> derivable i r) ->
      has_status i Entailed
  | Is_refuted r :
      ~ contradictory i ->
      In r (requirements (claimed i)) -> derivable i (opposite r) ->
      has_status i Refuted
  | Is_unknown r :
      ~ contradictory i ->
      In r (requirements (claimed i)) -> ~ derivable i r ->
      (forall r, In r (requirements (claimed i)) -> ~ derivable i (opposite r)) ->
      has_status i Unknown
  | Is_contradictory : contradictory i -> has_status i Contradictory.

(** [has_consistency i c]: [c] says whether the whole premise is consistent. *)
Inductive has_consistency (i : item) : bool -> Prop :=
  | Is_consistent : consistent i -> has_consistency i true
  | Is_inconsistent p : derivable i (Less p p) -> has_consistency i false.

(** The policies differ in the scope of a contradiction: the claimed points, or any points. *)
Inductive policy := Local | Global.
(** The labels of an item. *)
Inductive label := True_label | False_label | Undefined.

(** The label that follows from a status and the consistency of the premise. *)
Definition label_of (o : policy) (s : status) (c : bool) : label :=
  match o, s, c with
  | _, Contradictory, _ | Global, _, false => Undefined
  | _, Entailed, _ => True_label
  | _, _, _ => False_label
  end.

(** An item's label under a policy. *)
Inductive has_label (i : item) (o : policy) : label -> Prop :=
  | Follows s c : has_status i s -> has_consistency i c -> has_label i o (label_of o s c).

(** The least number with a property. *)
Definition fewest (P : nat -> Prop) (n : nat) : Prop := P n /\ forall m, P m -> n <= m.

(** A closed strict walk of [n] premise relations through two examined points. *)
Definition closed_through (i : item) (n : nat) : Prop :=
  exists p q s t a b, examined (claimed i) p q /\ walk i p s a q /\ walk i q t b p /\
    s || t = true /\ n = a + b.

(** Hops, the number of premise relations on the shortest proof of the status. Entailed: the
    greatest of the requirements' shortest walks, that is, so many are enough for each requirement
    and one needs as many. Refuted: the least of the opposites' shortest walks. *)
Inductive has_hops (i : item) : status -> option nat -> Prop :=
  | Hops_entailed n r :
      (forall r, In r (requirements (claimed i)) -> exists m, m <= n /\ derives i r m) ->
      In r (requirements (claimed i)) -> fewest (derives i r) n ->
      has_hops i Entailed (Some n)
  | Hops_refuted n :
      fewest (fun m => exists r, In r (requirements (claimed i)) /\ derives i (opposite r) m) n ->
      has_hops i Refuted (Some n)
  | Hops_unknown : has_hops i Unknown None
  | Hops_contradictory n : fewest (closed_through i) n -> has_hops i Contradictory (Some n).

(** What is said of an item. *)
Record verdict := Verdict {
  its_status : status;
  its_consistency : bool;
  its_label : label;
  its_hops : option nat
}.

(** All of a verdict is true. *)
Record holds_of (i : item) (o : policy) (v : verdict) : Prop := Holds_of {
  status_holds : has_status i (its_status v);
  consistency_holds : has_consistency i (its_consistency v);
  label_holds : has_label i o (its_label v);
  hops_hold : has_hops i (its_status v) (its_hops v)
}.

(** * Timelines *)

(** A timeline puts each point at an integer instant. *)
Definition timeline := point -> Z.
Local Open Scope Z_scope.

(** An inequality is true on a timeline. *)
Definition satisfies (f : timeline) (r : inequality) : Prop :=
  match r with Less p q => f p < f q | At_most p q => f p <= f q end.

(** A model satisfies every relation of the premise and every duration. *)
Definition model (i : item) (f : timeline) : Prop :=
  (forall p q, In (p, Before, q) (premise i) -> f p < f q) /\
  (forall p q, In (p, After, q) (premise i) -> f q < f p) /\
  (forall p q, In (p, Simultaneous, q) (premise i) -> f p = f q) /\
  (forall p q, In (p, Not_after, q) (premise i) -> f p <= f q) /\
  (forall p q, In (p, Not_before, q) (premise i) -> f q <= f p) /\
  (forall e, f (start e) < f (finish e)).

(** Weaker: no step leads to an earlier instant, so the points of a cycle share one. *)
Definition monotone (i : item) (f : timeline) : Prop :=
  forall p s w q, step i p s w q -> f p <= f q.

(** No strict step has both its points at the instant [v]. *)
Definition tight (i : item) (f : timeline) (v : Z) : Prop :=
  forall p w q, step i p true w q -> f p = v -> f q = v -> False.

(** What a comparison of two points means on a timeline. *)
Definition ordered (f : timeline) (p : point) (o : order) (q : point) : Prop :=
  match o with
  | Before => f p < f q
  | After => f p > f q
  | Simultaneous => f p = f q
  | Not_after => f p <= f q
  | Not_before => f p >= f q
  end.

(** What a whole claim means on a timeline, written without [requirements]. *)
Definition true_on (f : timeline) (c : claim) : Prop :=
  match c with
  | Happens_before a b => f (finish a) <= f (start b)
  | Happens_after a b => f (start a) >= f (finish b)
  | Overlaps_with a b => f (start a) < f (finish b) /\ f (start b) < f (finish a)
  | Allen a r b =>
      let '(s, e, t, u) := (f (start a), f (finish a), f (start b), f (finish b)) in
      match r with
      | Precedes => e < t
      | Meets => e = t
      | Overlaps => s < t /\ t < e /\ e < u
      | Finished_by => s < t /\ e = u
      | Contains => s < t /\ u < e
      | Starts => s = t /\ e < u
      | Equals => s = t /\ e = u
      | Started_by => s = t /\ u < e
      | During => t < s /\ e < u
      | Finishes => t < s /\ e = u
      | Overlapped_by => t < s /\ s < u /\ u < e
      | Met_by => s = u
      | Preceded_by => u < s
      end
  | Points p o q => ordered f p o q
  end.
