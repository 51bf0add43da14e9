(** What the statuses and labels of whole claims mean over all models of a consistent premise. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker Soundness Shortest Completeness Models.
Import ListNotations.

Arguments start : simpl never.
Arguments finish : simpl never.

(** * Claims on a timeline *)

(** The requirements of a claim are together true where the claim is. *)
Theorem requirements_mean : forall f c,
  true_on f c <-> forall r, In r (requirements c) -> satisfies f r.
Proof.
  intros f c. split.
  - destruct c as [a b | a b | a b | a [] b | p [] q]; simpl; intros holds r inside;
      repeat (destruct inside as [<- | inside]; [simpl; lia |]); contradiction.
  - intro all. destruct c as [a b | a b | a b | a [] b | p [] q]; cbn in all |- *;
      repeat match goal with
      | all : forall r, ?x = r \/ ?others -> _ |- _ =>
          pose proof (all x (or_introl eq_refl));
          assert (forall r, others -> satisfies f r) by (intros; apply all; right; assumption);
          clear all
      end; cbn in *; lia.
Qed.

(** On every model exactly one of Allen's relations holds between two events. *)
Theorem allen_exactly_one : forall i f a b, model i f ->
  exists r, true_on f (Allen a r b) /\ forall s, true_on f (Allen a s b) -> s = r.
Proof.
  intros i f a b (_ & _ & _ & _ & _ & lasts). pose proof (lasts a). pose proof (lasts b).
  assert (exists r, true_on f (Allen a r b)) as [r holds].
  { cbn. destruct (Z.lt_trichotomy (f (finish a)) (f (start b))) as [? | [? |]];
      [exists Precedes; assumption | exists Meets; assumption |].
    destruct (Z.lt_trichotomy (f (start a)) (f (finish b))) as [| [? | ?]];
      [| exists Met_by; assumption | exists Preceded_by; lia].
    destruct (Z.lt_trichotomy (f (start a)) (f (start b))) as [? | [? | ?]],
      (Z.lt_trichotomy (f (finish a)) (f (finish b))) as [? | [? | ?]];
      [exists Overlaps | exists Finished_by | exists Contains | exists Starts | exists Equals
        | exists Started_by | exists During | exists Finishes | exists Overlapped_by]; lia. }
  exists r. split; [assumption |]. intros s other.
  destruct r, s; try reflexivity; cbn in *; exfalso; lia.
Qed.

(** * Statuses *)

(** The points of the claim of a consistent premise do not contradict each other. *)
Lemma consistent_no_contradiction : forall i, consistent i -> ~ contradictory i.
Proof.
  intros i none (p & q & _ & there & back). apply (none p).
  eapply less_of_at_most; [eassumption |]. apply weaken. assumption.
Qed.

(** Derivability is decidable. *)
Lemma derivable_dec : forall i r, inside i (lower r) -> {derivable i r} + {~ derivable i r}.
Proof.
  intros i r il. destruct (best i r) as [n |] eqn:e.
  - left. exists n. apply best_derives. assumption.
  - right. apply best_none; assumption.
Qed.

(** An inequality that is not derivable is false on some model. *)
Lemma falsified : forall i r, consistent i -> inside i (lower r) -> inside i (upper r) ->
  ~ derivable i r -> exists f, model i f /\ satisfies f (opposite r).
Proof.
  intros i r none il iu open. exists (at_ (counterexample i r)).
  split; [apply counterexample_model; assumption |].
  pose proof (counterexample_counters i r il iu open) as counter.
  destruct r as [p q | p q]; simpl in *.
  - apply orb_prop in counter as [c | c]; split_tests; lia.
  - split_tests. lia.
Qed.

(** Requirements that have been added to a premise, as relations of points. *)
Definition stated (r : inequality) : relation :=
  match r with Less p q => (p, Before, q) | At_most p q => (p, Not_after, q) end.
Definition add (i : item) (r : inequality) : item := Item (stated r :: premise i) (claimed i).

(** A model of the premise that satisfies a requirement is one of both, and conversely. *)
Lemma model_add : forall i r f, model (add i r) f <-> model i f /\ satisfies f r.
Proof.
  intros i r f. unfold model. simpl. split.
  - intros (before & after & equal & not_after & not_before & lasts).
    split; [repeat split; auto |]. destruct r as [p q | p q]; simpl.
    + apply before. left. reflexivity.
    + apply not_after. left. reflexivity.
  - intros [(before & after & equal & not_after & not_before & lasts) holds].
    destruct r as [x y | x y]; simpl in *; repeat split; try assumption; intros p q [e | inside];
      try (injection e; intros; subst; assumption); try discriminate; auto.
Qed.

Lemma inside_add : forall i r p, inside i p -> inside (add i r) p.
Proof.
  intros i r p here. unfold inside in *. enough (size i <= size (add i r)) by lia.
  unfold size, mentioned. destruct r; cbn [add stated premise claimed flat_map app fold_right]; lia.
Qed.

(** Two points in this order, strictly or not. *)
Definition reaches (i : item) (p : point) (s : bool) (q : point) : Prop :=
  derivable i (if s then Less p q else At_most p q).

Lemma reaches_join : forall i p s q t r, reaches i p s q -> reaches i q t r ->
  reaches i p (s || t) r.
Proof.
  unfold reaches. intros i p [] q [] r a b; simpl;
    [eapply at_most_of_less; [apply weaken |] | eapply less_of_at_most | eapply at_most_of_less
      | eapply transitive]; eassumption.
Qed.

(** Whether an inequality is strict. *)
Definition strict (r : inequality) : bool := match r with Less _ _ => true | _ => false end.

Lemma derivable_reaches : forall i r, derivable i r <-> reaches i (lower r) (strict r) (upper r).
Proof. intros i [p q | p q]; reflexivity. Qed.

(** A walk that uses an added requirement does so between two walks that do not, or a walk leads
    back from its end to its start and is strict. *)
Lemma walk_add : forall i r p s n q, walk (add i r) p s n q ->
  reaches i (upper r) true (lower r) \/ reaches i p s q \/
  exists t u, reaches i p t (lower r) /\ reaches i (upper r) u q /\
    (s = true -> t || strict r || u = true).
Proof.
  intros i r. induction 1 as [p | p s w q t n z one _ IH].
  - right. left. exists 0. econstructor. apply Stay.
  - destruct IH as [loop | rest]; [left; assumption |].
    assert (reaches i p s q \/ (p = lower r /\ q = upper r /\ s = strict r)) as [own | (-> & -> & ->)].
    { assert (forall x, In x (premise (add i r)) -> x = stated r \/ In x (premise i)) as from
        by (simpl; intuition).
      destruct one as [e | p q l | p q l | p q l | p q l | p q l | p q l];
        [left; eapply of_strict_step, Duration | apply from in l as [e | l] ..];
        try (destruct r; simpl in e; try discriminate; injection e; intros; subst; auto);
        left; [eapply of_strict_step, Stated_before | eapply of_strict_step, Stated_after
          | eapply of_step, Stated_equal | eapply of_step, Stated_equal_back
          | eapply of_step, Stated_not_after | eapply of_step, Stated_not_before]; eassumption. }
    + right. destruct rest as [direct | (a & b & first & last & strictly)].
      * left. eapply reaches_join; eassumption.
      * right. exists (s || a), b. split; [eapply reaches_join; eassumption |].
        split; [assumption |]. destruct s; simpl; auto.
    + assert (reaches i (lower r) false (lower r)) as here by (exists 0; econstructor; apply Stay).
      destruct rest as [direct | (a & b & back & last & strictly)].
      * right. right. exists false, t. auto.
      * destruct a; [left; assumption |]. right. right. exists false, b.
        split; [assumption |]. split; [assumption |].
        destruct (strict r); simpl in *; auto.
Qed.

(** What one requirement rules out of another: a cycle through both. *)
Definition linked (i : item) (r q : inequality) : Prop := exists t u,
  reaches i (upper q) t (lower r) /\ reaches i (upper r) u (lower q) /\
  (strict q = false -> t || strict r || u = true).

(** No requirement of the claim is refuted. *)
Definition open (i : item) : Prop :=
  forall r, In r (requirements (claimed i)) -> ~ derivable i (opposite r).

Lemma opposite_reaches : forall i r,
  derivable i (opposite r) <-> reaches i (upper r) (negb (strict r)) (lower r).
Proof. intros i [p q | p q]; reflexivity. Qed.

(** Ends a proof where a derivation and its absence, or a point before itself, are at hand. *)
Ltac absurd_order :=
  match goal with
  | none : consistent ?i, d : derivable ?i (Less ?p ?p) |- _ => exact (none p d)
  | d : derivable ?i ?r, free : ~ derivable ?i ?r |- _ => exact (free d)
  | d : derivable ?i (Less ?p ?q), free : ~ derivable ?i (At_most ?p ?q) |- _ =>
      exact (free (weaken i p q d))
  end.

Ltac new_fact d := let T := type of d in
  lazymatch goal with _ : T |- _ => fail | _ => pose proof d end.

(** Joins derivations until that is so. *)
Ltac join_orders :=
  repeat first
    [ absurd_order
    | match goal with
      | a : derivable ?i (Less ?p ?q), b : derivable ?i (Less ?q ?r) |- _ =>
          new_fact (less_of_at_most i p q r a (weaken i q r b))
      | a : derivable ?i (Less ?p ?q), b : derivable ?i (At_most ?q ?r) |- _ =>
          new_fact (less_of_at_most i p q r a b)
      | a : derivable ?i (At_most ?p ?q), b : derivable ?i (Less ?q ?r) |- _ =>
          new_fact (at_most_of_less i p q r a b)
      | a : derivable ?i (At_most ?p ?q), b : derivable ?i (At_most ?q ?r) |- _ =>
          new_fact (transitive i p q r a b)
      end ].

(** Requirements of one claim do not exclude each other: a cycle through two of them refutes one. *)
Lemma no_link : forall i r q, consistent i -> open i ->
  In r (requirements (claimed i)) -> In q (requirements (claimed i)) -> ~ linked i r q.
Proof.
  intros i r q none free nr nq (t & u & back & there & strictly).
  assert (forall e, derivable i (Less (start e) (finish e))) as lasts
    by (intro e; eapply of_strict_step, Duration).
  unfold open in free. unfold reaches in *.
  destruct (claimed i) as [a b | a b | a b | a [] b | x [] y]; cbn in free, nr, nq;
    try (pose proof (lasts a); pose proof (lasts b)); clear lasts;
    repeat match goal with
    | free : forall r, ?x = r \/ ?others -> _ |- _ =>
        pose proof (free x (or_introl eq_refl));
        assert (forall r, others -> ~ derivable i (opposite r))
          by (intros; apply free; right; assumption);
        clear free
    end;
    repeat (destruct nr as [<- | nr]; [| try contradiction]);
    repeat (destruct nq as [<- | nq]; [| try contradiction]);
    destruct t, u; cbn in *;
    try (specialize (strictly eq_refl); discriminate); join_orders.
Qed.

(** Adding a requirement keeps the premise consistent and refutes no other. *)
Lemma open_add : forall i r, consistent i -> open i -> In r (requirements (claimed i)) ->
  consistent (add i r) /\ open (add i r).
Proof.
  intros i r none free needed. split.
  - intros p [n d]. inversion d as [? ? ? w |]; subst.
    destruct (walk_add i r _ _ _ _ w) as [loop | [own | (t & u & first & last & strictly)]].
    + apply (free r needed), opposite_reaches. destruct r; [apply weaken |]; exact loop.
    + exact (none p own).
    + specialize (strictly eq_refl). apply (free r needed), opposite_reaches.
      pose proof (reaches_join _ _ _ _ _ _ last first) as back.
      destruct (strict r), t, u; simpl in *; try discriminate;
        unfold reaches in *; first [exact back | apply weaken; exact back].
  - intros q nq d. apply opposite_reaches in d as [n d].
    assert (exists s, walk (add i r) (upper q) s n (lower q) /\ (strict q = false -> s = true))
      as (s & w & strictly).
    { destruct (strict q); simpl in d; inversion d; subst; eexists;
        (split; [eassumption | congruence]). }
    destruct (walk_add i r _ _ _ _ w) as [loop | [own | (t & u & first & last & strictly')]].
    + apply (free r needed), opposite_reaches. destruct r; [apply weaken |]; exact loop.
    + apply (free q nq), opposite_reaches. destruct (strict q); simpl.
      * destruct s; [apply weaken |]; exact own.
      * rewrite strictly in own by reflexivity. exact own.
    + apply (no_link i r q none free needed nq). exists t, u. auto.
Qed.

(** If no requirement of a claim is refuted, some model satisfies them all. *)
Lemma open_satisfied : forall rs i, consistent i -> open i ->
  (forall r, In r rs -> In r (requirements (claimed i))) ->
  exists f, model i f /\ forall r, In r rs -> satisfies f r.
Proof.
  induction rs as [| r rs IH]; intros i none free needed.
  - destruct (proj1 (consistent_iff_model i) none) as [f m]. exists f. split; [assumption |].
    intros ? [].
  - destruct (open_add i r none free (needed r (or_introl eq_refl))) as [none' free'].
    destruct (IH (add i r) none' free') as (f & m & all).
    { intros q inside. apply needed. right. assumption. }
    apply model_add in m as [m holds]. exists f. split; [assumption |].
    intros q [<- | inside]; auto.
Qed.

(** A claim about a consistent premise is entailed iff it is true on all models, *)
Theorem entailed_iff_true_in_all_models : forall i, consistent i ->
  (has_status i Entailed <-> forall f, model i f -> true_on f (claimed i)).
Proof.
  intros i none. split.
  - intros s f m. inversion s as [_ all | | |]. apply requirements_mean. intros r needed.
    eapply derivable_satisfied; eauto.
  - intro all. constructor; [apply consistent_no_contradiction; assumption |].
    intros r needed. apply derivable_iff_true_in_all_models; [assumption |]. intros f m.
    eapply requirements_mean; eauto.
Qed.

(** refuted iff it is true on none, *)
Theorem refuted_iff_true_in_no_model : forall i, consistent i ->
  (has_status i Refuted <-> forall f, model i f -> ~ true_on f (claimed i)).
Proof.
  intros i none. split.
  - intros s f m holds. inversion s as [| r _ needed d | |].
    pose proof (derivable_satisfied _ _ _ d m) as false_.
    pose proof (proj1 (requirements_mean f (claimed i)) holds r needed) as true_.
    destruct r; simpl in *; lia.
  - intro never.
    destruct (existsb (fun r => match best i (opposite r) with Some _ => true | None => false end)
      (requirements (claimed i))) eqn:e.
    + apply existsb_exists in e as (r & needed & found).
      destruct (best i (opposite r)) as [n |] eqn:b; [| discriminate].
      econstructor; [apply consistent_no_contradiction; assumption | eassumption |].
      exists n. apply best_derives. assumption.
    + exfalso. destruct (open_satisfied (requirements (claimed i)) i none) as (f & m & all); auto.
      * intros r needed d. destruct (best i (opposite r)) as [n |] eqn:b.
        -- enough (existsb (fun r => match best i (opposite r) with Some _ => true | None => false
             end) (requirements (claimed i)) = true) by congruence.
           apply existsb_exists. exists r. rewrite b. auto.
        -- destruct (needs_inside i r needed) as [_ iu]. revert d. apply best_none; [| assumption].
           destruct (opposite_ends r) as [-> _]. assumption.
      * apply (never f m), requirements_mean. assumption.
Qed.

(** and unknown iff it is true on one and false on another. *)
Theorem unknown_iff_true_in_some_not_all : forall i, consistent i ->
  (has_status i Unknown <->
   (exists f, model i f /\ true_on f (claimed i)) /\
   (exists f, model i f /\ ~ true_on f (claimed i))).
Proof.
  intros i none. split.
  - intro s. inversion s as [| | r _ needed underivable free |]. split.
    + destruct (open_satisfied (requirements (claimed i)) i none) as (f & m & all); auto.
      exists f. split; [assumption |]. apply requirements_mean. assumption.
    + destruct (needs_inside i r needed) as [il iu].
      destruct (falsified i r none il iu underivable) as (f & m & false_).
      exists f. split; [assumption |]. intro holds.
      pose proof (proj1 (requirements_mean f (claimed i)) holds r needed) as true_.
      destruct r; simpl in *; lia.
  - intros [(f & m & holds) (g & n & fails)].
    destruct (certificate_complete i Local) as ([s c l h] & cert & ok).
    apply check_sound in ok as [hs _ _ _]. simpl in hs. destruct s; [| | assumption |].
    + exfalso. apply fails. eapply entailed_iff_true_in_all_models; eassumption.
    + exfalso. revert holds. eapply refuted_iff_true_in_no_model; eassumption.
    + exfalso. inversion hs. eapply consistent_no_contradiction; eassumption.
Qed.

(** * Labels *)

(** Under either policy, a claim about a consistent premise is labelled true iff it is true on all
    models, and false iff it is false on one. *)
Theorem label_true_iff_true_in_all_models : forall i o, consistent i ->
  (has_label i o True_label <-> forall f, model i f -> true_on f (claimed i)).
Proof.
  intros i o none. rewrite <- entailed_iff_true_in_all_models by assumption. split.
  - intro l. inversion l as [s c hs hc e]. destruct o, s, c; try discriminate; assumption.
  - intro hs. destruct o; exact (Follows i _ Entailed true hs (Is_consistent i none)).
Qed.

Theorem label_false_iff_false_in_some_model : forall i o, consistent i ->
  (has_label i o False_label <-> exists f, model i f /\ ~ true_on f (claimed i)).
Proof.
  intros i o none. split.
  - intro l. inversion l as [s c hs hc e]. destruct s; try (destruct o, c; discriminate).
    + destruct (proj1 (consistent_iff_model i) none) as [f m]. exists f. split; [assumption |].
      eapply refuted_iff_true_in_no_model; eassumption.
    + apply unknown_iff_true_in_some_not_all in hs as [_ ?]; assumption.
  - intros (f & m & fails). destruct (label_complete i o) as [l has].
    destruct l; [| assumption |]; exfalso.
    + apply fails. eapply label_true_iff_true_in_all_models; eassumption.
    + inversion has as [s c hs hc e]. revert e; destruct hc as [_ | p d]; intro e; [| exact (none p d)].
      destruct s; try (destruct o; discriminate e). inversion hs.
      eapply consistent_no_contradiction; eassumption.
Qed.

(** Under the policy [Global] a label is undefined iff the premise has no model. *)
Theorem global_undefined_iff_no_model : forall i,
  has_label i Global Undefined <-> ~ exists f, model i f.
Proof.
  intro i. rewrite <- consistent_iff_model. split.
  - intros l none. inversion l as [s c hs hc e]. revert e; destruct hc as [_ | p d]; intro e; [| exact (none p d)].
    destruct s; try discriminate e. inversion hs. eapply consistent_no_contradiction; eassumption.
  - intro bad. destruct (label_complete i Global) as [l has]. inversion has as [s c hs hc e].
    revert e; destruct hc as [none | p d]; intro e; [contradiction |]. destruct s; simpl in e; subst l; exact has.
Qed.
