(** Labelled graphs of [generate tkg]: what it means that labels are right, that every fact is
    supported, and that no consequence is missing. This is what a reader has to believe.

    Entities, relations, placeholders and times are integers; facts and instances are known by
    positive numbers. *)
From Coq Require Import List ZArith FMapPositive.
Import ListNotations.
Open Scope Z_scope.

Module M := PositiveMap.

Record fact := Fact { head : Z; rel : Z; tail : Z; time : Z }.

(** A step of a pattern: its ends are placeholders. *)
Record step := Step { subject : Z; verb : Z; target : Z }.

(** [lags]: the least and the greatest time from each step to the next, the last one of which is the
    consequence. [due]: whether the graph has to have each of its consequences. *)
Record pattern := Pattern {
  antecedents : list step;
  consequence : step;
  lags : list (Z * Z);
  due : bool }.

Definition steps (p : pattern) : list step := antecedents p ++ [consequence p].

(** The facts of the first steps of a pattern, by their numbers: planted, or derived from the
    antecedents. *)
Record instance := Instance { shape : pattern; planted : bool; rows : list positive }.

(** [horizon]: the first time after the graph. [injective]: whether the entities of planted instances
    differ too. [depth]: the greatest number of derivations, one after another; [None] for any. *)
Record config := Config { horizon : Z; injective : bool; depth : option nat }.

Definition graph := M.t fact.
Definition instances := M.t instance.

(** * Right labels *)

(** Which entity a placeholder is. *)
Definition binding := Z -> Z.

Definition states (s : binding) (x : step) (f : fact) : Prop :=
  head f = s (subject x) /\ rel f = verb x /\ tail f = s (target x).

(** Placeholders of these steps are different entities. *)
Definition apart (s : binding) (xs : list step) : Prop :=
  forall a b, In a (flat_map (fun x => [subject x; target x]) xs) ->
    In b (flat_map (fun x => [subject x; target x]) xs) -> s a = s b -> a = b.

(** Facts follow each other within the lags. *)
Fixpoint within (ls : list (Z * Z)) (fs : list fact) : Prop :=
  match ls, fs with
  | (low, high) :: ls, f :: ((g :: _) as rest) =>
      low <= time g - time f <= high /\ within ls rest
  | _, _ => True
  end.

Definition facts_of (g : graph) (rs : list positive) (fs : list fact) : Prop :=
  Forall2 (fun r f => M.find r g = Some f) rs fs.

(** The facts of an instance are those of the first steps of its pattern. It ends before the
    consequence only if it is planted, and its next fact may lie after the graph. *)
Definition matches (c : config) (g : graph) (i : instance) : Prop :=
  exists (s : binding) (fs : list fact),
    facts_of g (rows i) fs /\
    Forall2 (states s) (firstn (length fs) (steps (shape i))) fs /\
    (planted i = false \/ injective c = true -> apart s (firstn (length fs) (steps (shape i)))) /\
    within (lags (shape i)) fs /\
    (length fs = length (steps (shape i)) \/
     planted i = true /\
     exists f fs' low high, fs = fs' ++ [f] /\
       nth_error (lags (shape i)) (length fs') = Some (low, high) /\ horizon c <= time f + high).

(** * Support *)

(** [derived is n r]: fact [r] is planted, or so many derivations, one after another, lead to it. *)
Inductive derived (is : instances) : nat -> positive -> Prop :=
  | by_planting k i r :
      M.find k is = Some i -> planted i = true -> In r (rows i) -> derived is 0 r
  | by_rule n k i r rs :
      M.find k is = Some i -> planted i = false -> rows i = rs ++ [r] ->
      (forall a, In a rs -> exists m, (m <= n)%nat /\ derived is m a) -> derived is (S n) r.

Definition allowed (c : config) (n : nat) : Prop :=
  match depth c with Some d => (n <= d)%nat | None => True end.

(** * Closure *)

(** Facts from which consequences are due. *)
Definition usable (c : config) (g : graph) (is : instances) (f : fact) : Prop :=
  exists r n, M.find r g = Some f /\ derived is n r /\
    match depth c with Some d => (n < d)%nat | None => True end.

(** Whenever usable facts match the antecedents of a pattern, with different entities, its consequence
    is in the graph, unless it may lie after it. *)
Definition complete (c : config) (g : graph) (is : instances) (p : pattern) : Prop :=
  forall s fs last ls low high,
    Forall2 (states s) (antecedents p) (fs ++ [last]) ->
    apart s (antecedents p) ->
    Forall (usable c g is) (fs ++ [last]) ->
    lags p = ls ++ [(low, high)] -> length ls = length fs ->
    within ls (fs ++ [last]) ->
    time last + high < horizon c ->
    exists r f, M.find r g = Some f /\ states s (consequence p) f /\
      time last + low <= time f <= time last + high.
