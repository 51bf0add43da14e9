(** Certificates, and the program that checks them; it is extracted to OCaml.

    Everything here is computable. Nothing here has to be believed: Soundness.v proves that an
    accepted certificate shows its verdict. *)
From Coq Require Import List Bool Arith ZArith.
From Hopcheck Require Import Meaning.
Import ListNotations.

(** * Certificates *)

(** A walk: its first point and its steps, each the index of a premise relation, or [None] for a
    duration. A simultaneity is walked in the direction that continues the walk. *)
Definition stride := option nat.
Definition route := (point * list stride)%type.

(** The instants of the points 0, 1, 2, ... *)
Definition instants := list Z.

(** Lower bounds for the walks from [origin] to each point: without a strict step, and with one.
    Any potential that no step improves is accepted. *)
Record distances := Distances { origin : point; loosely : list Z; strictly : list Z }.

(** A certificate is a set of witnesses; the checker finds those that serve. *)
Record certificate := Certificate {
  walks : list route;
  cycle : option route;
  timelines : list instants;
  potentials : list distances
}.

(** * Steps as a list *)

(** The number of events that are checked: one more than the greatest that is mentioned. *)
Definition mentioned (i : item) : list point :=
  flat_map (fun '(p, _, q) => [p; q]) (premise i) ++ claimed_points (claimed i).
Definition size (i : item) : nat :=
  fold_right (fun p n => Nat.max (S (Nat.div2 p)) n) 0 (mentioned i).

(** The steps of a premise relation: from, strict, weight, to. *)
Definition steps_of (r : relation) : list (point * bool * nat * point) :=
  match r with
  | (p, Before, q) => [(p, true, 1, q)]
  | (p, After, q) => [(q, true, 1, p)]
  | (p, Simultaneous, q) => [(p, false, 1, q); (q, false, 1, p)]
  | (p, Not_after, q) => [(p, false, 1, q)]
  | (p, Not_before, q) => [(q, false, 1, p)]
  end.

(** The steps between mentioned events. *)
Definition steps (i : item) : list (point * bool * nat * point) :=
  map (fun e => (start e, true, 0, finish e)) (seq 0 (size i)) ++ flat_map steps_of (premise i).

(** * Walks *)

(** One step from [p]: whether it is strict, its weight, and where it leads; [None] if there is no
    such step. *)
Definition next (i : item) (p : point) (s : stride) : option (bool * nat * point) :=
  match s with
  | None => if Nat.even p then Some (true, 0, S p) else None
  | Some k =>
      match nth_error (premise i) k with
      | Some (a, Before, b) => if p =? a then Some (true, 1, b) else None
      | Some (a, After, b) => if p =? b then Some (true, 1, a) else None
      | Some (a, Simultaneous, b) =>
          if p =? a then Some (false, 1, b) else if p =? b then Some (false, 1, a) else None
      | Some (a, Not_after, b) => if p =? a then Some (false, 1, b) else None
      | Some (a, Not_before, b) => if p =? b then Some (false, 1, a) else None
      | None => None
      end
  end.

(** A walk from [p]: whether it is strict, its premise relations, and where it ends. *)
Fixpoint follow (i : item) (p : point) (w : list stride) : option (bool * nat * point) :=
  match w with
  | [] => Some (false, 0, p)
  | s :: rest =>
      match next i p s with
      | Some (t, m, q) =>
          match follow i q rest with
          | Some (u, n, r) => Some (t || u, m + n, r)
          | None => None
          end
      | None => None
      end
  end.

(** Whether a walk from [p] passes [z]. *)
Fixpoint passes (i : item) (p : point) (w : list stride) (z : point) : bool :=
  (p =? z) ||
  match w with
  | [] => false
  | s :: rest => match next i p s with Some (_, _, q) => passes i q rest z | None => false end
  end.

(** Whether only a strict walk derives the inequality. *)
Definition needs_strict (r : inequality) : bool :=
  match r with Less _ _ => true | At_most _ _ => false end.

(** The premise relations of a walk that derives an inequality; [None] if it does not. *)
Definition derivation (i : item) (r : inequality) (w : route) : option nat :=
  let '(p, strides) := w in
  match follow i p strides with
  | Some (s, n, q) =>
      if (p =? lower r) && (q =? upper r) && (s || negb (needs_strict r)) then Some n else None
  | None => None
  end.

(** The premise relations of a closed strict walk; [None] if it is none. *)
Definition closed_walk (i : item) (w : route) : option nat :=
  derivation i (Less (fst w) (fst w)) w.

(** * Timelines *)

(** The instant of a point; points of events that are not mentioned get one that keeps their
    durations. *)
Definition at_ (t : instants) (p : point) : Z := nth p t (Z.of_nat p).

(** An instant for each point of a mentioned event, and no step leads to an earlier one. *)
Definition monotone_on (i : item) (t : instants) : bool :=
  (length t =? 2 * size i) &&
  forallb (fun '(p, _, _, q) => (at_ t p <=? at_ t q)%Z) (steps i).

(** No strict step has both its points at the instant. *)
Definition tight_at (i : item) (t : instants) (v : Z) : bool :=
  forallb (fun '(p, s, _, q) => negb (s && (at_ t p =? v)%Z && (at_ t q =? v)%Z)) (steps i).

(** The pairs that [examined] describes. *)
Definition examined_pairs (c : claim) : list (point * point) :=
  filter (fun '(p, q) => negb (p =? q) || reflexive c)
    (list_prod (claimed_points c) (claimed_points c)).

(** Each instant shared by two examined points is tight. *)
Definition separates (i : item) (t : instants) : bool :=
  forallb (fun '(p, q) => negb (at_ t p =? at_ t q)%Z || tight_at i t (at_ t p))
    (examined_pairs (claimed i)).

(** Every strict step leads to a later instant; that is, all instants are tight. *)
Definition is_model (i : item) (t : instants) : bool :=
  forallb (fun '(p, s, _, q) => negb s || (at_ t p <? at_ t q)%Z) (steps i).

(** The timeline shows that the inequality is not derivable. *)
Definition counters (i : item) (r : inequality) (t : instants) : bool :=
  match r with
  | Less p q =>
      ((at_ t q <? at_ t p) || ((at_ t p =? at_ t q) && tight_at i t (at_ t p)))%Z
  | At_most p q => (at_ t q <? at_ t p)%Z
  end.

(** * Distances *)

(** The bound for a state: a point, and whether the walk to it is strict. *)
Definition at_state (d : distances) (p : point) (s : bool) : Z :=
  nth p (if s then strictly d else loosely d) 0%Z.

(** A potential: not above 0 at the origin, and every step raises it by at most its weight. *)
Definition is_potential (i : item) (d : distances) : bool :=
  (length (loosely d) =? 2 * size i) && (length (strictly d) =? 2 * size i) &&
  (at_state d (origin d) false <=? 0)%Z &&
  forallb (fun '(p, t, w, q) =>
      forallb (fun s => at_state d q (s || t) <=? at_state d p s + Z.of_nat w)%Z [false; true])
    (steps i).

(** A lower bound, by this potential, for the walks that derive an inequality from its origin. *)
Definition bound (d : distances) (r : inequality) : Z :=
  match r with
  | Less _ q => at_state d q true
  | At_most _ q => Z.min (at_state d q false) (at_state d q true)
  end.

(** No walk of fewer than [n] premise relations derives [r], as some potential shows. *)
Definition at_least (ds : list distances) (n : nat) (r : inequality) : bool :=
  (n =? 0) || existsb (fun d => (origin d =? lower r) && (Z.of_nat n <=? bound d r)%Z) ds.

(** Potentials from [p] and from [q] show that no closed strict walk through both has fewer. *)
Definition around_at_least (ds : list distances) (n : nat) (p q : point) : bool :=
  if p =? q then at_least ds n (Less p p)
  else
    existsb (fun d => existsb (fun e =>
        (origin d =? p) && (origin e =? q) &&
        (Z.of_nat n <=? Z.min (bound d (Less p q) + bound e (At_most q p))
                              (bound d (At_most p q) + bound e (Less q p)))%Z) ds) ds.

(** * Verdicts *)

(** Equality of hops. *)
Definition same_number (m : option nat) (n : option nat) : bool :=
  match m, n with
  | Some m, Some n => m =? n
  | None, None => true
  | _, _ => false
  end.

(** The walks derive the inequalities in turn: the most premise relations of one walk. *)
Fixpoint all_derived (i : item) (rs : list inequality) (ws : list route) : option nat :=
  match rs, ws with
  | [], [] => Some 0
  | r :: rs, w :: ws =>
      match derivation i r w, all_derived i rs ws with
      | Some m, Some n => Some (Nat.max m n)
      | _, _ => None
      end
  | _, _ => None
  end.

(** The status and its hops. *)
Definition check_status (i : item) (c : certificate) (s : status) (h : option nat) : bool :=
  let needs := requirements (claimed i) in
  match s, h with
  | Entailed, Some n =>
      existsb (separates i) (timelines c) &&
      same_number (all_derived i needs (walks c)) (Some n) &&
      existsb (at_least (potentials c) n) needs
  | Refuted, Some n =>
      existsb (separates i) (timelines c) &&
      match walks c with
      | [w] => existsb (fun r => same_number (derivation i (opposite r) w) (Some n)) needs
      | _ => false
      end &&
      forallb (fun r => at_least (potentials c) n (opposite r)) needs
  | Unknown, None =>
      existsb (separates i) (timelines c) &&
      match walks c with [] => true | _ => false end &&
      existsb (fun r => existsb (counters i r) (timelines c)) needs &&
      forallb (fun r => existsb (counters i (opposite r)) (timelines c)) needs
  | Contradictory, Some n =>
      match walks c, cycle c with
      | [], Some w =>
          same_number (closed_walk i w) (Some n) &&
          existsb (fun '(p, q) => passes i (fst w) (snd w) p && passes i (fst w) (snd w) q)
            (examined_pairs (claimed i))
      | _, _ => false
      end &&
      forallb (fun '(p, q) => around_at_least (potentials c) n p q) (examined_pairs (claimed i))
  | _, _ => false
  end.

(** Whether the premise is consistent. *)
Definition check_consistency (i : item) (c : certificate) (b : bool) : bool :=
  match b, cycle c with
  | true, None => existsb (is_model i) (timelines c)
  | false, Some w => match closed_walk i w with Some _ => true | None => false end
  | _, _ => false
  end.

(** Equality of labels. *)
Definition same_label (l k : label) : bool :=
  match l, k with
  | True_label, True_label | False_label, False_label | Undefined, Undefined => true
  | _, _ => false
  end.

(** The checker: whether a certificate shows every part of a verdict under a policy. *)
Definition check (i : item) (o : policy) (v : verdict) (c : certificate) : bool :=
  forallb (monotone_on i) (timelines c) &&
  forallb (is_potential i) (potentials c) &&
  check_status i c (its_status v) (its_hops v) &&
  check_consistency i c (its_consistency v) &&
  same_label (label_of o (its_status v) (its_consistency v)) (its_label v).
