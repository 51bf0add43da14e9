(** The program that checks labelled graphs; it is extracted to OCaml.

    Nothing here has to be believed: GraphSoundness.v proves that an accepted graph is right. *)
From Coq Require Import List Bool Arith ZArith FMapPositive.
From Hopcheck Require Import Graphs.
Import ListNotations.
Open Scope Z_scope.

(** * Bindings *)

Definition bindings := list (Z * Z).

Fixpoint lookup (b : bindings) (p : Z) : option Z :=
  match b with
  | [] => None
  | (q, e) :: b => if q =? p then Some e else lookup b p
  end.

(** Let a placeholder be an entity; [distinct]: which no other placeholder may be. *)
Definition bind (distinct : bool) (b : bindings) (p e : Z) : option bindings :=
  match lookup b p with
  | Some e' => if e' =? e then Some b else None
  | None => if distinct && existsb (fun q => snd q =? e) b then None else Some ((p, e) :: b)
  end.

Definition extend (distinct : bool) (b : bindings) (x : step) (f : fact) : option bindings :=
  if rel f =? verb x then
    match bind distinct b (subject x) (head f) with
    | Some b => bind distinct b (target x) (tail f)
    | None => None
    end
  else None.

Fixpoint extend_all (distinct : bool) (b : bindings) (xs : list step) (fs : list fact)
  : option bindings :=
  match xs, fs with
  | x :: xs, f :: fs =>
      match extend distinct b x f with
      | Some b => extend_all distinct b xs fs
      | None => None
      end
  | _, [] => Some b
  | [], _ => None
  end.

(** * Instances *)

Fixpoint found (g : graph) (rs : list positive) : option (list fact) :=
  match rs with
  | [] => Some []
  | r :: rs =>
      match M.find r g, found g rs with Some f, Some fs => Some (f :: fs) | _, _ => None end
  end.

Fixpoint in_lags (ls : list (Z * Z)) (fs : list fact) : bool :=
  match ls, fs with
  | (low, high) :: ls, f :: ((g :: _) as rest) =>
      (low <=? time g - time f) && (time g - time f <=? high) && in_lags ls rest
  | _, _ => true
  end.

(** The instance ends with the consequence, or its next fact may lie after the graph. *)
Definition ends (c : config) (i : instance) (fs : list fact) : bool :=
  (length fs =? length (steps (shape i)))%nat ||
  planted i &&
  match rev fs with
  | f :: before =>
      match nth_error (lags (shape i)) (length before) with
      | Some (_, high) => horizon c <=? time f + high
      | None => false
      end
  | [] => false
  end.

Definition matching (c : config) (g : graph) (i : instance) : bool :=
  match found g (rows i) with
  | Some fs =>
      match extend_all (negb (planted i) || injective c) [] (steps (shape i)) fs with
      | Some _ => in_lags (lags (shape i)) fs && ends c i fs
      | None => false
      end
  | None => false
  end.

(** * Support *)

(** Of each fact: its number of derivations, and an instance that shows it. *)
Definition levels := M.t (nat * positive).

Definition listed (r : positive) (rs : list positive) : bool := existsb (Pos.eqb r) rs.

Definition level_of (ls : levels) (r : positive) : option nat := option_map fst (M.find r ls).

Definition at_most (ls : levels) (n : nat) (r : positive) : bool :=
  match level_of ls r with Some m => (m <=? n)%nat | None => false end.

Definition is_last (r : positive) (rs : list positive) : bool :=
  match rev rs with q :: _ => Pos.eqb q r | [] => false end.

(** The instance shows the number of derivations of a fact. *)
Definition shown (c : config) (is : instances) (ls : levels) (r : positive) : bool :=
  match M.find r ls with
  | Some (n, k) =>
      match M.find k is with
      | Some i =>
          match n with
          | O => planted i && listed r (rows i)
          | S n => negb (planted i) && is_last r (rows i) &&
                   forallb (at_most ls n) (removelast (rows i))
          end && match depth c with Some d => (n <=? d)%nat | None => true end
      | None => false
      end
  | None => false
  end.

Fixpoint greatest (ls : levels) (rs : list positive) : option nat :=
  match rs with
  | [] => Some O
  | r :: rs =>
      match level_of ls r, greatest ls rs with Some n, Some m => Some (Nat.max n m) | _, _ => None end
  end.

(** No instance shows fewer derivations of its facts. *)
Definition no_fewer (ls : levels) (i : instance) : bool :=
  if planted i then forallb (at_most ls 0) (rows i)
  else match rev (rows i), greatest ls (removelast (rows i)) with
       | r :: _, Some n => at_most ls (S n) r
       | _, _ => false
       end.

(** * Closure *)

Definition usable_facts (c : config) (g : graph) (ls : levels) : list fact :=
  map snd (filter (fun '(r, _) =>
    match level_of ls r, depth c with
    | Some n, Some d => (n <? d)%nat
    | Some _, None => true
    | None, _ => false
    end) (M.elements g)).

Definition related (r : Z) (fs : list fact) : list fact := filter (fun f => rel f =? r) fs.

(** The bindings of the antecedents, each with the facts that may be its, with the time of the last
    fact. *)
Fixpoint joined (ls : list (Z * Z)) (xs : list (step * list fact)) (b : bindings) (t : Z)
  : list (bindings * Z) :=
  match xs, ls with
  | [], _ => [(b, t)]
  | (x, us) :: xs, (low, high) :: ls =>
      flat_map (fun f =>
        if (low <=? time f - t) && (time f - t <=? high) then
          match extend true b x f with Some b => joined ls xs b (time f) | None => [] end
        else []) us
  | _ :: _, [] => []
  end.

Definition all_joined (us : list fact) (p : pattern) : list (bindings * Z) :=
  match map (fun x => (x, related (verb x) us)) (antecedents p) with
  | [] => []
  | (x, us) :: xs =>
      flat_map (fun f =>
        match extend true [] x f with
        | Some b => joined (lags p) xs b (time f)
        | None => []
        end) us
  end.

(** The consequence is among these facts, or may lie after the graph. *)
Definition has_consequence (c : config) (fs : list fact) (p : pattern) (m : bindings * Z) : bool :=
  let (b, t) := m in
  match rev (lags p), lookup b (subject (consequence p)), lookup b (target (consequence p)) with
  | (low, high) :: _, Some h, Some e =>
      (horizon c <=? t + high) ||
      existsb (fun f => (head f =? h) && (tail f =? e) &&
                        (t + low <=? time f) && (time f <=? t + high)) fs
  | _, _, _ => false
  end.

Definition closed_under (c : config) (fs us : list fact) (p : pattern) : bool :=
  forallb (has_consequence c (related (verb (consequence p)) fs) p) (all_joined us p).

(** * Graphs *)

Definition same (f g : fact) : bool :=
  (time f =? time g) && (head f =? head g) && (rel f =? rel g) && (tail f =? tail g).

(** Facts that were seen, by their times. *)
Definition seen_facts := M.t (list fact).

Definition key (f : fact) : positive := Z.to_pos (time f + 1).

Definition seen_with (s : seen_facts) (f : fact) : list fact :=
  match M.find (key f) s with Some fs => fs | None => [] end.

Fixpoint no_repeats (s : seen_facts) (fs : list fact) : bool :=
  match fs with
  | [] => true
  | f :: fs =>
      let old := seen_with s f in
      negb (existsb (same f) old) && no_repeats (M.add (key f) (f :: old) s) fs
  end.

(** [forward]: whether consequences of closed patterns may not be missing. *)
Definition check_graph (c : config) (g : graph) (is : instances) (ls : levels)
    (forward : bool) (ps : list pattern) : bool :=
  let fs := map snd (M.elements g) in
  let us := usable_facts c g ls in
  no_repeats (M.empty _) fs &&
  forallb (fun k => matching c g (snd k)) (M.elements is) &&
  forallb (fun k => no_fewer ls (snd k)) (M.elements is) &&
  forallb (fun r => shown c is ls (fst r)) (M.elements g) &&
  (negb forward || forallb (fun p => negb (due p) || closed_under c fs us p) ps).
