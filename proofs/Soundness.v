(** What the checker accepts is true. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker.
Import ListNotations.

(** Splits what boolean tests say into hypotheses. *)
Ltac split_tests :=
  repeat match goal with
  | H : _ && _ = true |- _ => apply andb_prop in H; destruct H
  | H : (_ =? _) = true |- _ => apply Nat.eqb_eq in H
  | H : (_ =? _)%Z = true |- _ => apply Z.eqb_eq in H
  | H : (_ <=? _)%Z = true |- _ => apply Z.leb_le in H
  | H : (_ <? _)%Z = true |- _ => apply Z.ltb_lt in H
  | H : Bool.eqb _ _ = true |- _ => apply eqb_prop in H
  end.

(** * Steps *)

Lemma steps_of_sound : forall i r, In r (premise i) ->
  forall p s w q, In (p, s, w, q) (steps_of r) -> step i p s w q.
Proof.
  intros i [[a []] b] inside p s w q listed; simpl in listed;
    repeat (destruct listed as [e | listed]; [injection e; intros; subst; clear e |]);
    try contradiction; constructor; assumption.
Qed.

Lemma steps_sound : forall i p s w q, In (p, s, w, q) (steps i) -> step i p s w q.
Proof.
  intros i p s w q inside. unfold steps in inside. apply in_app_or in inside as [d | r].
  - apply in_map_iff in d as (e & same & _). injection same; intros; subst. apply Duration.
  - apply in_flat_map in r as (r & listed & inside). eapply steps_of_sound; eassumption.
Qed.

(** Every step is listed, but for the durations of events that are not mentioned. *)
Lemma steps_complete : forall i p s w q, step i p s w q ->
  In (p, s, w, q) (steps i) \/
  exists e, size i <= e /\ p = start e /\ s = true /\ w = 0 /\ q = finish e.
Proof.
  intros i p s w q one. unfold steps.
  destruct one as [e | p q r | p q r | p q r | p q r | p q r | p q r].
  1: destruct (le_lt_dec (size i) e); [right; eauto 6 |]; left; apply in_or_app; left;
    apply in_map_iff; exists e; split; [reflexivity | apply in_seq; lia].
  all: left; apply in_or_app; right; apply in_flat_map; eexists; split; [apply r | simpl; auto].
Qed.

(** * Walks *)

Lemma next_sound : forall i p s t w q, next i p s = Some (t, w, q) -> step i p t w q.
Proof.
  intros i p [k |] t w q; unfold next.
  - destruct (nth_error (premise i) k) as [[[a []] b] |] eqn:found; try discriminate;
      apply nth_error_In in found; destruct (Nat.eqb_spec p a), (Nat.eqb_spec p b);
      try discriminate; intro same; injection same; intros; subst; constructor; assumption.
  - destruct (Nat.even p) eqn:even; [| discriminate]. intro same.
    apply Nat.even_spec in even as [e ->].
    assert (q = finish e) as -> by (unfold finish; injection same; lia).
    injection same; intros _ <- <-. apply Duration.
Qed.

Lemma follow_sound : forall i w p s n q, follow i p w = Some (s, n, q) -> walk i p s n q.
Proof.
  induction w as [| x rest IH]; simpl; intros p s n q f.
  - injection f; intros; subst. apply Stay.
  - destruct (next i p x) as [[[t m] z] |] eqn:one; [| discriminate].
    destruct (follow i z rest) as [[[u k] y] |] eqn:more; [| discriminate].
    injection f; intros; subst. eapply Go; [eapply next_sound; eassumption | auto].
Qed.

Lemma derivation_sound : forall i r w n, derivation i r w = Some n -> derives i r n.
Proof.
  intros i r [p w] n. unfold derivation.
  destruct (follow i p w) as [[[s m] q] |] eqn:f; [| discriminate]. apply follow_sound in f.
  destruct ((p =? lower r) && (q =? upper r) && (s || negb (needs_strict r))) eqn:test;
    [| discriminate].
  intro same. injection same; intros; subst. split_tests.
  destruct r, s; simpl in *; try discriminate; subst; econstructor; eassumption.
Qed.

(** A walk can be cut at a point that it passes. *)
Lemma cut : forall i z w p s n q, follow i p w = Some (s, n, q) -> passes i p w z = true ->
  exists w1 w2 a m b k, w = w1 ++ w2 /\ follow i p w1 = Some (a, m, z) /\
    follow i z w2 = Some (b, k, q) /\ s = a || b /\ n = m + k.
Proof.
  induction w as [| x rest IH]; intros p s n q f v; simpl in v;
    apply orb_prop in v as [here | later].
  - apply Nat.eqb_eq in here. subst. exists [], [], false, 0, s, n. auto.
  - discriminate.
  - apply Nat.eqb_eq in here. subst. exists [], (x :: rest), false, 0, s, n. auto.
  - simpl in f. destruct (next i p x) as [[[t m] y] |] eqn:one; [| discriminate].
    destruct (follow i y rest) as [[[u k] r] |] eqn:more; [| discriminate].
    injection f; intros; subst.
    destruct (IH _ _ _ _ more later) as (w1 & w2 & a & c & b & j & -> & one' & two & -> & ->).
    exists (x :: w1), w2, (t || a), (m + c), b, j. simpl. rewrite one, one'.
    rewrite orb_assoc, Nat.add_assoc. auto.
Qed.

Lemma passes_app : forall i z w' w p s n q, follow i p w = Some (s, n, q) ->
  passes i p (w ++ w') z = true -> passes i p w z = true \/ passes i q w' z = true.
Proof.
  induction w as [| x rest IH]; simpl; intros p s n q f v.
  - injection f; intros; subst. auto.
  - destruct (p =? z); [auto |]. destruct (next i p x) as [[[t m] y] |]; [| discriminate].
    destruct (follow i y rest) as [[[u k] r] |] eqn:more; [| discriminate].
    injection f; intros; subst. eauto.
Qed.

(** A closed strict walk through two points is a walk from each to the other. *)
Lemma closed_walk_through : forall i o w n p q, closed_walk i (o, w) = Some n ->
  passes i o w p = true -> passes i o w q = true ->
  exists s t a b, walk i p s a q /\ walk i q t b p /\ s || t = true /\ n = a + b.
Proof.
  intros i o w n p q closed vp vq.
  assert (f : follow i o w = Some (true, n, o)).
  { unfold closed_walk, derivation in closed. simpl in closed.
    destruct (follow i o w) as [[[[] m] z] |]; [| rewrite andb_false_r in closed |];
      try discriminate.
    rewrite Nat.eqb_refl in closed. destruct (Nat.eqb_spec z o); [| discriminate].
    simpl in closed. congruence. }
  destruct (cut _ _ _ _ _ _ _ f vp) as (w1 & w2 & a & m & b & k & -> & one & two & strict & sum).
  destruct (passes_app _ _ _ _ _ _ _ _ one vq) as [v | v].
  - destruct (cut _ _ _ _ _ _ _ one v)
      as (u1 & u2 & c & l & d & j & -> & first & second & -> & ->).
    exists (b || c), d, (k + l), j. repeat split.
    + eapply join; eapply follow_sound; eassumption.
    + eapply follow_sound; eassumption.
    + rewrite strict. destruct b, c, d; reflexivity.
    + lia.
  - destruct (cut _ _ _ _ _ _ _ two v)
      as (u1 & u2 & c & l & d & j & -> & first & second & -> & ->).
    exists c, (d || a), l, (j + m). repeat split.
    + eapply follow_sound; eassumption.
    + eapply join; eapply follow_sound; eassumption.
    + rewrite strict. destruct a, c, d; reflexivity.
    + lia.
Qed.

(** * Timelines *)

(** A monotone timeline bounds what is derivable. *)
Lemma monotone_walk : forall i f, monotone i f -> forall p s n q, walk i p s n q -> (f p <= f q)%Z.
Proof.
  intros i f mono. induction 1 as [| p s w q t n r one _ IH]; [lia |].
  specialize (mono _ _ _ _ one). lia.
Qed.

(** A strict walk does not stay at a tight instant. *)
Lemma strict_walk_leaves : forall i f, monotone i f -> forall p n q, walk i p true n q ->
  tight i f (f p) -> (f p < f q)%Z.
Proof.
  intros i f mono p n q w. remember true as s eqn:e.
  induction w as [| p s w q t n r one more IH]; [discriminate |]. intro empty.
  pose proof (mono _ _ _ _ one). pose proof (monotone_walk i f mono _ _ _ _ more).
  destruct (Z.eq_dec (f p) (f q)) as [same |]; [| lia]. destruct s.
  - exfalso. eapply empty; eauto.
  - rewrite same in *. apply IH; auto.
Qed.

Lemma at_most_bounds : forall i f p q, monotone i f -> derivable i (At_most p q) ->
  (f p <= f q)%Z.
Proof. intros i f p q mono [n d]. inversion d; subst. eapply monotone_walk; eassumption. Qed.

Lemma less_bounds : forall i f p q, monotone i f -> derivable i (Less p q) ->
  tight i f (f p) -> (f p < f q)%Z.
Proof. intros i f p q mono [n d]. inversion d; subst. eapply strict_walk_leaves; eassumption. Qed.

Lemma at_outside : forall t p, length t <= p -> at_ t p = Z.of_nat p.
Proof. intros. apply nth_overflow. assumption. Qed.

Lemma monotone_on_sound : forall i t, monotone_on i t = true -> monotone i (at_ t).
Proof.
  intros i t ok p s w q one. unfold monotone_on in ok. split_tests.
  apply steps_complete in one as [listed | (e & out & -> & -> & -> & ->)].
  - rewrite forallb_forall in H0. apply H0 in listed. split_tests. assumption.
  - rewrite !at_outside by (unfold start, finish; lia). unfold start, finish. lia.
Qed.

Lemma tight_at_sound : forall i t v, monotone_on i t = true ->
  tight_at i t v = true -> tight i (at_ t) v.
Proof.
  intros i t v mono ok p w q one here there. unfold monotone_on in mono. split_tests.
  apply steps_complete in one as [listed | (e & out & -> & _ & -> & ->)].
  - unfold tight_at in ok. rewrite forallb_forall in ok. apply ok in listed. simpl in listed.
    rewrite here, there, Z.eqb_refl in listed. discriminate.
  - rewrite at_outside in here, there by (unfold start, finish; lia).
    unfold start, finish in *. lia.
Qed.

Lemma is_model_sound : forall i t, monotone_on i t = true -> is_model i t = true ->
  forall v, tight i (at_ t) v.
Proof.
  intros i t mono ok v p w q one here there. unfold monotone_on in mono. split_tests.
  apply steps_complete in one as [listed | (e & out & -> & _ & -> & ->)].
  - unfold is_model in ok. rewrite forallb_forall in ok. apply ok in listed.
    simpl in listed. split_tests. lia.
  - rewrite at_outside in here, there by (unfold start, finish; lia).
    unfold start, finish in *. lia.
Qed.

(** A monotone timeline whose instants are all tight leaves no cycle. *)
Lemma tight_consistent : forall i f, monotone i f -> (forall v, tight i f v) -> consistent i.
Proof. intros i f mono all p d. pose proof (less_bounds i f p p mono d (all (f p))). lia. Qed.

Lemma examined_pairs_iff : forall c p q, In (p, q) (examined_pairs c) <-> examined c p q.
Proof.
  intros c p q. unfold examined_pairs, examined. rewrite filter_In, in_prod_iff.
  destruct (Nat.eqb_spec p q); simpl; destruct (reflexive c); intuition congruence.
Qed.

(** A separation excludes a contradiction. *)
Lemma separates_sound : forall i t, monotone_on i t = true -> separates i t = true ->
  ~ contradictory i.
Proof.
  intros i t mono ok (p & q & x & there & back). apply examined_pairs_iff in x.
  pose proof (monotone_on_sound i t mono) as up.
  unfold separates in ok. rewrite forallb_forall in ok. apply ok in x. simpl in x.
  assert (at_ t p = at_ t q) as same
    by (apply Z.le_antisymm; eauto using at_most_bounds, weaken).
  rewrite same, Z.eqb_refl in x. simpl in x.
  apply tight_at_sound in x; [| assumption]. rewrite <- same in x.
  pose proof (less_bounds i (at_ t) p q up there x). lia.
Qed.

(** A counterexample excludes a derivation. *)
Lemma counters_sound : forall i r t, monotone_on i t = true -> counters i r t = true ->
  ~ derivable i r.
Proof.
  intros i r t mono ok d. pose proof (monotone_on_sound i t mono) as up.
  destruct r as [p q | p q]; simpl in ok.
  - apply orb_prop in ok as [less | same]; split_tests.
    + pose proof (at_most_bounds i (at_ t) p q up (weaken _ _ _ d)). lia.
    + apply tight_at_sound in H0; [| assumption].
      pose proof (less_bounds i (at_ t) p q up d H0). lia.
  - split_tests. pose proof (at_most_bounds i (at_ t) p q up d). lia.
Qed.

(** * Distances *)

Lemma state_outside : forall i d p s, is_potential i d = true -> 2 * size i <= p ->
  at_state d p s = 0%Z.
Proof.
  intros i d p s ok out. unfold is_potential in ok. split_tests.
  unfold at_state. apply nth_overflow. destruct s; lia.
Qed.

(** A walk raises a potential by at most its premise relations. *)
Lemma potential_walk : forall i d, is_potential i d = true ->
  forall p s n q, walk i p s n q ->
  forall b, (at_state d q (b || s) <= at_state d p b + Z.of_nat n)%Z.
Proof.
  intros i d ok. induction 1 as [p | p s w q t n r one _ IH]; intro b.
  - rewrite orb_false_r. lia.
  - specialize (IH (b || s)). rewrite orb_assoc.
    enough (at_state d q (b || s) <= at_state d p b + Z.of_nat w)%Z by lia.
    apply steps_complete in one as [listed | (e & out & -> & _ & -> & ->)].
    + unfold is_potential in ok. split_tests. rewrite forallb_forall in H0.
      apply H0 in listed. rewrite forallb_forall in listed.
      assert (In b [false; true]) as inside by (destruct b; simpl; auto).
      apply listed in inside. split_tests. assumption.
    + rewrite !(state_outside i) by (auto; unfold start, finish; lia). lia.
Qed.

Lemma bound_sound : forall i d, is_potential i d = true ->
  forall r n, origin d = lower r -> derives i r n -> (bound d r <= Z.of_nat n)%Z.
Proof.
  intros i d ok r n here w. pose proof ok as ok'. unfold is_potential in ok'. split_tests.
  destruct w as [p n q w | p s n q w]; simpl in *;
    pose proof (potential_walk i d ok _ _ _ _ w false) as up; simpl in up; subst p.
  - lia.
  - destruct s; lia.
Qed.

Lemma at_least_sound : forall i ds n r, forallb (is_potential i) ds = true ->
  at_least ds n r = true -> forall m, derives i r m -> n <= m.
Proof.
  intros i ds n r ok found m w. unfold at_least in found.
  apply orb_prop in found as [zero | found]; [apply Nat.eqb_eq in zero; lia |].
  apply existsb_exists in found as (d & inside & test). split_tests.
  rewrite forallb_forall in ok. pose proof (bound_sound i d (ok d inside) r m H w). lia.
Qed.

Lemma around_at_least_sound : forall i ds n p q, forallb (is_potential i) ds = true ->
  around_at_least ds n p q = true ->
  forall s t a b, walk i p s a q -> walk i q t b p -> s || t = true -> n <= a + b.
Proof.
  intros i ds n p q ok found s t a b there back strict. unfold around_at_least in found.
  destruct (Nat.eqb_spec p q) as [-> | _].
  { eapply at_least_sound; [eassumption .. |]. constructor. rewrite <- strict.
    eapply join; eassumption. }
  apply existsb_exists in found as (d & ind & test).
  apply existsb_exists in test as (e & ine & test). split_tests.
  rewrite forallb_forall in ok.
  pose proof (bound_sound i d (ok d ind)) as out. pose proof (bound_sound i e (ok e ine)) as home.
  pose proof (out (At_most p q) a H (Derives_at_most _ _ _ _ _ there)).
  pose proof (home (At_most q p) b H1 (Derives_at_most _ _ _ _ _ back)).
  destruct s.
  - pose proof (out (Less p q) a H (Derives_less _ _ _ _ there)). lia.
  - destruct t; [| discriminate].
    pose proof (home (Less q p) b H1 (Derives_less _ _ _ _ back)). lia.
Qed.

(** A walk and a potential that no step improves prove the least number of premise relations. *)
Theorem potential_proves_minimality : forall i ds n r w, forallb (is_potential i) ds = true ->
  derivation i r w = Some n -> at_least ds n r = true -> fewest (derives i r) n.
Proof. split; [eapply derivation_sound; eassumption | eapply at_least_sound; eassumption]. Qed.

(** * Verdicts *)

Lemma same_number_sound : forall m n, same_number m n = true -> m = n.
Proof. intros [m |] [n |]; simpl; intro e; try discriminate; split_tests; congruence. Qed.

Lemma all_derived_sound : forall i rs ws n, all_derived i rs ws = Some n ->
  forall r, In r rs -> exists m, m <= n /\ derives i r m.
Proof.
  induction rs as [| r rs IH]; intros ws n e x inside; [contradiction |].
  destruct ws as [| w ws]; simpl in e; [discriminate |].
  destruct (derivation i r w) as [m |] eqn:d; [| discriminate].
  destruct (all_derived i rs ws) as [k |] eqn:more; [| discriminate].
  injection e; intros; subst. destruct inside as [<- | inside].
  - exists m. split; [lia | eapply derivation_sound; eassumption].
  - destruct (IH _ _ more x inside) as (y & ? & ?). exists y. split; [lia | assumption].
Qed.

(** Some timeline of the certificate separates the claimed points. *)
Lemma some_separates : forall i ts, forallb (monotone_on i) ts = true ->
  existsb (separates i) ts = true -> ~ contradictory i.
Proof.
  intros i ts mono found. apply existsb_exists in found as (t & inside & ok).
  rewrite forallb_forall in mono. eapply separates_sound; eauto.
Qed.

Lemma some_counters : forall i r ts, forallb (monotone_on i) ts = true ->
  existsb (counters i r) ts = true -> ~ derivable i r.
Proof.
  intros i r ts mono found. apply existsb_exists in found as (t & inside & ok).
  rewrite forallb_forall in mono. eapply counters_sound; eauto.
Qed.

Lemma check_status_sound : forall i c s h,
  forallb (monotone_on i) (timelines c) = true -> forallb (is_potential i) (potentials c) = true ->
  check_status i c s h = true -> has_status i s /\ has_hops i s h.
Proof.
  intros i c s h mono pot ok. destruct s, h as [n |]; simpl in ok; try discriminate; split_tests.
  - apply same_number_sound in H1. pose proof (all_derived_sound _ _ _ _ H1) as every. split.
    + constructor; [eapply some_separates; eassumption |]. intros x needed.
      destruct (every x needed) as (m & _ & d). exists m. assumption.
    + apply existsb_exists in H0 as (r & inside & least).
      pose proof (at_least_sound _ _ _ _ pot least) as bounded.
      econstructor; [assumption | eassumption |]. split; [| assumption].
      destruct (every r inside) as (m & few & d). specialize (bounded m d).
      replace n with m by lia. assumption.
  - destruct (walks c) as [| w [| ? ?]]; try discriminate.
    apply existsb_exists in H1 as (r & inside & d). apply same_number_sound in d.
    apply derivation_sound in d. rewrite forallb_forall in H0. split.
    + econstructor; [eapply some_separates; eassumption | eassumption | exists n; assumption].
    + constructor. split; [eauto |]. intros m (x & needed & dx).
      eapply at_least_sound; [| apply H0 |]; eassumption.
  - apply existsb_exists in H1 as (r & inside & open). rewrite forallb_forall in H0. split.
    + econstructor; [eapply some_separates; eassumption | eassumption | |].
      * eapply some_counters; eassumption.
      * intros x needed. eapply some_counters; [| apply H0]; eassumption.
    + constructor.
  - destruct (walks c); [| discriminate]. destruct (cycle c) as [[o w] |]; [| discriminate].
    simpl in H. split_tests. apply same_number_sound in H.
    apply existsb_exists in H1 as ([p q] & x & both).
    split_tests. apply examined_pairs_iff in x. rewrite forallb_forall in H0.
    assert (closed_through i n) as closed.
    { destruct (closed_walk_through i o w n p q H H1 H2)
        as (s & t & a & b & there & back & strict & sum).
      exists p, q, s, t, a, b. auto. }
    split; constructor.
    + apply contradictory_iff_closed. eauto.
    + split; [assumption |]. intros m (u & v & s & t & a & b & y & there & back & strict & ->).
      apply examined_pairs_iff in y. apply H0 in y. eapply around_at_least_sound; eassumption.
Qed.

Lemma check_consistency_sound : forall i c b, forallb (monotone_on i) (timelines c) = true ->
  check_consistency i c b = true -> has_consistency i b.
Proof.
  intros i c b mono ok. unfold check_consistency in ok.
  destruct b, (cycle c) as [w |]; try discriminate.
  - apply existsb_exists in ok as (t & inside & ok). rewrite forallb_forall in mono.
    constructor. eapply tight_consistent;
      [apply monotone_on_sound | eapply is_model_sound]; eauto.
  - destruct (closed_walk i w) as [n |] eqn:closed; [| discriminate].
    econstructor. exists n. eapply derivation_sound. exact closed.
Qed.

(** An accepted certificate proves its verdict: status, consistency, label and hops. *)
Theorem check_sound : forall i o v c, check i o v c = true -> holds_of i o v.
Proof.
  intros i o [s b l h] c ok. unfold check in ok. simpl in ok. split_tests.
  destruct (check_status_sound i c s h) as [hs hh]; try assumption.
  pose proof (check_consistency_sound i c b H H1) as hb.
  constructor; simpl; try assumption. replace l with (label_of o s b); [constructor; assumption |].
  destruct (label_of o s b), l; simpl in H0; congruence.
Qed.

(** In particular the item has that label, and no other. *)
Corollary check_sound_label : forall i o v c, check i o v c = true ->
  has_label i o (its_label v) /\ forall l, has_label i o l -> l = its_label v.
Proof.
  intros i o v c ok. apply check_sound in ok as [_ _ has _].
  split; [assumption |]. intros l other. eapply label_unique; eassumption.
Qed.

(** No two verdicts on one item are both accepted. *)
Corollary check_exclusive : forall i o v w c d,
  check i o v c = true -> check i o w d = true -> v = w.
Proof. intros. eapply verdict_unique; eapply check_sound; eassumption. Qed.
