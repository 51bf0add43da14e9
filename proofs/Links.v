(** Annotated links between events and times: what they mean, what a timeline and a repair of them
    are. This is what a reader has to believe.

    A node has the points [2 * n] and [2 * n + 1], its start and its end. *)
From Coq Require Import List Bool ZArith.
Import ListNotations.

(** The relations of links. The two of TimeML for *during* mean others of these. *)
Inductive link_relation :=
  | Is_before | Is_after | Just_before | Just_after | Includes | Is_included | Is_simultaneous
  | Begins_it | Begun_by_it | Ends_it | Ended_by_it | Overlaps_it
  | Starts_before | Starts_after | Starts_with | Is_vague.

(** What a relation says of the end points 0, 1 of the left node and 2, 3 of the right one: [(p, s, q)]
    for p before q if [s], and for p not after q if not. Under the reading [allen] nodes that are
    before, or include, others do not meet them at their ends. *)
Definition meaning (allen : bool) (r : link_relation) : list (nat * bool * nat) :=
  match r with
  | Is_before => [(1, allen, 2)]
  | Is_after => [(3, allen, 0)]
  | Just_before => [(1, false, 2); (2, false, 1)]
  | Just_after => [(3, false, 0); (0, false, 3)]
  | Includes => [(0, allen, 2); (3, allen, 1)]
  | Is_included => [(2, allen, 0); (1, allen, 3)]
  | Is_simultaneous => [(0, false, 2); (2, false, 0); (1, false, 3); (3, false, 1)]
  | Begins_it => [(0, false, 2); (2, false, 0); (1, true, 3)]
  | Begun_by_it => [(0, false, 2); (2, false, 0); (3, true, 1)]
  | Ends_it => [(1, false, 3); (3, false, 1); (2, true, 0)]
  | Ended_by_it => [(1, false, 3); (3, false, 1); (0, true, 2)]
  | Overlaps_it => [(0, true, 3); (2, true, 1)]
  | Starts_before => [(0, true, 2)]
  | Starts_after => [(2, true, 0)]
  | Starts_with => [(0, false, 2); (2, false, 0)]
  | Is_vague => []
  end.

Record link := Link { left_node : nat; right_node : nat; says : link_relation }.

(** The point of a link with a number from 0 to 3. *)
Definition end_of (l : link) (k : nat) : nat :=
  match k with
  | 0 => 2 * left_node l
  | 1 => 2 * left_node l + 1
  | 2 => 2 * right_node l
  | _ => 2 * right_node l + 1
  end.

(** [dated]: the instants of the calendar at which points are, of which only the order counts. *)
Record document := Document {
  by_allen : bool;
  nodes : nat;
  links : list link;
  dated : list (nat * Z) }.

(** An instant for each point. *)
Definition line := nat -> Z.

Definition in_order (t : line) (p : nat) (strict : bool) (q : nat) : Prop :=
  if strict then (t p < t q)%Z else (t p <= t q)%Z.

Definition holds (d : document) (t : line) (l : link) : Prop :=
  forall p s q, In (p, s, q) (meaning (by_allen d) (says l)) -> in_order t (end_of l p) s (end_of l q).

(** Some links, by their places. *)
Definition choice := list bool.

Definition has (c : choice) (i : nat) : bool := nth i c false.

(** The document without some links has this timeline: each node starts before it ends, each other
    link holds, and the calendar does. *)
Definition timeline_of (d : document) (gone : choice) (t : line) : Prop :=
  (forall n, n < nodes d -> in_order t (2 * n) true (2 * n + 1)) /\
  (forall i l, nth_error (links d) i = Some l -> has gone i = false -> holds d t l) /\
  (forall p x q y, In (p, x) (dated d) -> In (q, y) (dated d) ->
     ((x < y)%Z -> (t p < t q)%Z) /\ (x = y -> t p = t q)).

Definition consistent_without (d : document) (gone : choice) : Prop :=
  exists t, timeline_of d gone t.

Fixpoint weight (ws : list Z) (c : choice) : Z :=
  match ws, c with
  | w :: ws, x :: c => ((if x then w else 0) + weight ws c)%Z
  | _, _ => 0%Z
  end.

(** A repair changes some links of this weight, and none changes links of less. *)
Definition minimal_repair (d : document) (ws : list Z) (changed : choice) (cost : Z) : Prop :=
  consistent_without d changed /\ weight ws changed = cost /\
  forall gone, consistent_without d gone -> (cost <= weight ws gone)%Z.
