(** Derivation and truth are the same: what is derivable from a consistent premise is what holds in
    all of its models over the integers, and the consistent premises are those that have a model. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker Soundness Shortest Completeness.
Import ListNotations.

(** A model is a monotone timeline whose instants are all tight. *)
Lemma model_iff_tight : forall i f, model i f <-> monotone i f /\ forall v, tight i f v.
Proof.
  intros i f. split.
  - intros (before & after & equal & not_after & not_before & lasts). split.
    + intros p s w q one. destruct one as [e | p q r | p q r | p q r | p q r | p q r | p q r].
      * specialize (lasts e). lia.
      * specialize (before p q r). lia.
      * specialize (after p q r). lia.
      * specialize (equal p q r). lia.
      * specialize (equal p q r). lia.
      * exact (not_after p q r).
      * exact (not_before p q r).
    + intros v p w q one here there. remember true as s. destruct one as [e | p q r | p q r | | | |];
        try discriminate.
      * specialize (lasts e). lia.
      * specialize (before p q r). lia.
      * specialize (after p q r). lia.
  - intros [mono tight_].
    assert (forall p w q, step i p true w q -> (f p < f q)%Z) as up.
    { intros p w q one. pose proof (mono _ _ _ _ one). pose proof (tight_ (f p) p w q one eq_refl).
      lia. }
    repeat split; intros.
    + eapply up, Stated_before. assumption.
    + eapply up, Stated_after. assumption.
    + apply Z.le_antisymm; eapply mono;
        [apply Stated_equal | apply Stated_equal_back]; eassumption.
    + eapply mono, Stated_not_after. eassumption.
    + eapply mono, Stated_not_before. eassumption.
    + eapply up, Duration.
Qed.

(** A premise is consistent iff it has a model over the integers. *)
Theorem consistent_iff_model : forall i, consistent i <-> exists f, model i f.
Proof.
  intro i. split.
  - intro none. exists (at_ (line i)). apply model_iff_tight. split.
    + apply monotone_on_sound, line_monotone.
    + destruct (line_model i) as [ok | (p & _ & d)]; [| exfalso; exact (none p d)].
      apply is_model_sound; [apply line_monotone | assumption].
  - intros [f m]. apply model_iff_tight in m as [mono all]. eapply tight_consistent; eassumption.
Qed.

(** What is derivable holds in every model. *)
Lemma derivable_satisfied : forall i r f, derivable i r -> model i f -> satisfies f r.
Proof.
  intros i [p q | p q] f d m; apply model_iff_tight in m as [mono all]; simpl.
  - eapply less_bounds; eauto.
  - eapply at_most_bounds; eauto.
Qed.

(** Derivability depends on the premise alone, so a claim may be added that mentions any points. *)
Lemma walk_premise : forall i j, premise i = premise j ->
  forall p s n q, walk i p s n q -> walk j p s n q.
Proof.
  intros i j same. induction 1 as [| p s w q t n r one _ IH]; [apply Stay |].
  eapply Go; [| exact IH].
  destruct one; [apply Duration | apply Stated_before | apply Stated_after | apply Stated_equal
    | apply Stated_equal_back | apply Stated_not_after | apply Stated_not_before];
    rewrite <- same; assumption.
Qed.

Lemma derivable_premise : forall i j r, premise i = premise j -> derivable i r -> derivable j r.
Proof.
  intros i j r same [n d]. exists n.
  destruct d; econstructor; eapply walk_premise; eassumption.
Qed.

(** In a consistent premise the counterexample for an inequality is a model. *)
Lemma counterexample_model : forall i r, consistent i -> inside i (lower r) -> ~ derivable i r ->
  model i (at_ (counterexample i r)).
Proof.
  intros i r none il open. pose proof (counterexample_monotone i r il) as mono.
  apply model_iff_tight. split; [apply monotone_on_sound; assumption |].
  apply is_model_sound; [assumption |]. apply forallb_forall. intros [[[a s] w] b] listed.
  destruct s; [| reflexivity]. destruct (listed_inside _ _ _ _ _ listed) as [ia ib].
  unfold counterexample. rewrite !at_instants by assumption. apply Z.ltb_lt.
  pose proof (apart_up i (lower r) (upper r) il _ _ _ _ listed) as up.
  apply steps_sound, of_strict_step in listed as less.
  pose proof (rank_bounds i a). pose proof (rank_bounds i b).
  assert (rank i a <> rank i b) as ranks.
  { intro same. apply (none a). eapply less_of_at_most; [eassumption |]. apply rank_same; auto. }
  enough (apart i (lower r) (upper r) a <> apart i (lower r) (upper r) b) by lia.
  unfold apart. cbv zeta. intro same. apply open. clear open.
  destruct (reach i (lower r) a) eqn:la, (reach i a (upper r)) eqn:au,
    (reach i (lower r) b) eqn:lb, (reach i b (upper r)) eqn:bu; try (exfalso; lia).
  assert (derivable i (Less (lower r) (upper r))) as d.
  { eapply at_most_of_less; [apply reach_derivable, la |].
    eapply less_of_at_most; [eassumption | apply reach_derivable, bu]. }
  destruct r; [assumption | apply weaken; assumption].
Qed.

(** An inequality is derivable from a consistent premise iff it holds in all models. *)
Theorem derivable_iff_true_in_all_models : forall i, consistent i ->
  forall r, derivable i r <-> forall f, model i f -> satisfies f r.
Proof.
  intros i none r. split; [intros; eapply derivable_satisfied; eassumption |]. intro all.
  set (j := Item (premise i) (Points (lower r) Before (upper r))).
  assert (premise j = premise i) as same by reflexivity.
  assert (inside j (lower r)) as il by (apply claimed_inside; simpl; auto).
  assert (inside j (upper r)) as iu by (apply claimed_inside; simpl; auto).
  apply (derivable_premise j i r same).
  destruct (best j r) as [n |] eqn:e; [exists n; apply best_derives; assumption |].
  pose proof (best_none j r il e) as open. exfalso.
  assert (consistent j) as none'
    by (intros p d; apply (none p); eapply derivable_premise; eassumption).
  pose proof (all _ (counterexample_model j r none' il open)) as sat.
  pose proof (counterexample_counters j r il iu open) as counter.
  destruct r as [p q | p q]; simpl in sat, counter.
  - apply orb_prop in counter as [c | c]; split_tests; lia.
  - split_tests. lia.
Qed.
