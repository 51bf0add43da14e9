(** What the checker accepts of chains is true. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker Soundness Models Published Steps StepChecker.
Import ListNotations.

(** * Derivations *)

Lemma pass_each : forall tests ws, pass tests ws = true ->
  forall test, In test tests -> exists w, test w = true.
Proof.
  induction tests as [| t tests IH]; intros [| w ws] ok test inside; simpl in *;
    try contradiction; try discriminate.
  apply andb_prop in ok as [one more]. destruct inside as [<- | inside]; eauto.
Qed.

Lemma loose_walk_sound : forall i p q w, loose_walk i p q w = true -> exists n, walk i p false n q.
Proof.
  intros i p q [a strides] ok. unfold loose_walk in ok. simpl in ok.
  apply andb_prop in ok as [from ok]. apply Nat.eqb_eq in from. subst a.
  destruct (follow i p strides) as [[[s n] z] |] eqn:f; [| discriminate].
  apply andb_prop in ok as [loose to]. apply Nat.eqb_eq in to. subst z.
  destruct s; [discriminate |]. exists n. apply follow_sound in f. assumption.
Qed.

Lemma derives_all_sound : forall i rs ws, derives_all i rs ws = true -> all_derivable i rs.
Proof.
  intros i rs ws ok r inside. pose proof (pass_each _ _ ok) as each.
  assert (forall test, In test (wanted i r) -> exists w, test w = true) as tests
    by (intros test here; apply each, in_flat_map; eauto).
  clear each ok. destruct r as [[p o] q].
  assert (forall x, wanted i (p, o, q) = map (fun x w => match derivation i x w with
      Some _ => true | None => false end) (compared p o q) -> In x (compared p o q) ->
      derivable i x) as by_walk.
  { intros x same here. rewrite same in tests.
    destruct (tests _ (in_map _ _ _ here)) as [w ok].
    destruct (derivation i x w) as [n |] eqn:d; [| discriminate].
    exists n. eapply derivation_sound. eassumption. }
  destruct o; simpl; try (intros x here; apply by_walk; [reflexivity | exact here]).
  split.
  - destruct (tests (loose_walk i p q)) as [w ok]; [simpl; auto |].
    eapply loose_walk_sound. eassumption.
  - destruct (tests (loose_walk i q p)) as [w ok]; [simpl; auto |].
    eapply loose_walk_sound. eassumption.
Qed.

(** An order that is derivable has its inequalities derivable. *)
Lemma order_inequalities : forall i p o q, order_derivable i (p, o, q) ->
  forall x, In x (compared p o q) -> derivable i x.
Proof.
  intros i p [] q d x inside; try (apply d; exact inside).
  destruct d as [[n there] [m back]]. destruct inside as [<- | [<- | []]];
    [exists n | exists m]; econstructor; eassumption.
Qed.

Lemma closed_walk_inside : forall i s, closed i s = true ->
  forall p n q, walk i p false n q -> listed p s = true -> listed q s = true.
Proof.
  intros i s ok p n q w. remember false as strict eqn:e. revert e.
  induction w as [| p t w q u n r one _ IH]; intros e here; [assumption |].
  apply orb_false_elim in e as [-> ->]. apply IH; [reflexivity |].
  apply steps_complete in one as [inside | (e & _ & _ & no & _)]; [| discriminate].
  unfold closed in ok. rewrite forallb_forall in ok. specialize (ok _ inside). simpl in ok.
  rewrite here in ok. exact ok.
Qed.

Lemma derives_not_sound : forall i rs x, derives_not i rs x = true -> ~ all_derivable i rs.
Proof.
  intros i rs [k t | k s] ok all; simpl in ok;
    destruct (nth_error rs k) as [[[p o] q] |] eqn:found; try discriminate;
    apply nth_error_In in found; specialize (all _ found).
  - apply andb_prop in ok as [mono ok]. apply existsb_exists in ok as (x & inside & counter).
    eapply counters_sound; [eassumption .. |]. eapply order_inequalities; eassumption.
  - destruct o; try discriminate. apply andb_prop in ok as [shut apart].
    destruct all as [[n there] [m back]].
    pose proof (closed_walk_inside i s shut _ _ _ there) as out.
    pose proof (closed_walk_inside i s shut _ _ _ back) as home.
    destruct (listed p s), (listed q s); simpl in apart; try discriminate;
      [specialize (out eq_refl) | specialize (home eq_refl)]; discriminate.
Qed.

(** * Models *)

Lemma model_extended : forall i rs f, model (extended i rs) f ->
  model i f /\ forall p o q, In (p, o, q) rs -> forall x, In x (compared p o q) -> satisfies f x.
Proof.
  intros i rs f (before & after & equal & not_after & not_before & lasts). simpl in *. split.
  - assert (forall r, In r (premise i) -> In r (premise i ++ rs)) as more
      by (intros; apply in_or_app; auto).
    unfold model. auto 10.
  - intros p o q inside x here.
    assert (In (p, o, q) (premise i ++ rs)) as there by (apply in_or_app; auto).
    destruct o; simpl in here; repeat (destruct here as [<- | here]); try contradiction; simpl.
    + apply before. assumption.
    + apply after. assumption.
    + apply Z.eq_le_incl, equal. assumption.
    + apply Z.eq_le_incl. symmetry. apply equal. assumption.
    + apply not_after. assumption.
    + apply not_before. assumption.
Qed.

(** No timeline satisfies an order and a complement of it. *)
Lemma complement_excludes : forall f p o q x, In x (complements (p, o, q)) -> satisfies f x ->
  (forall y, In y (compared p o q) -> satisfies f y) -> False.
Proof.
  intros f p o q x inside yes all. destruct o; simpl in inside, all;
    repeat (destruct inside as [<- | inside]); try contradiction; simpl in yes;
    try (specialize (all _ (or_introl eq_refl)); simpl in all; lia).
  - pose proof (all _ (or_intror (or_introl eq_refl))). simpl in *. lia.
Qed.

Lemma consistency_cases : forall i b, has_consistency i b ->
  if b then consistent i else ~ consistent i.
Proof. intros i b [none | p d]; [assumption |]. intro none. exact (none p d). Qed.

Lemma checked_model : forall i t, monotone_on i t = true -> is_model i t = true ->
  model i (at_ t).
Proof.
  intros i t mono ok. apply model_iff_tight. split;
    [apply monotone_on_sound | apply is_model_sound]; assumption.
Qed.

Lemma denies_sound : forall i b rs d, has_consistency i b -> denies i b rs d = true ->
  denied i rs.
Proof.
  intros i b rs d known_ ok. apply consistency_cases in known_. destruct d as [w | k w]; simpl in ok.
  - apply andb_prop in ok as [-> ok]. left. split; [assumption |]. intros [f m].
    destruct (closed_walk (extended i rs) w) as [n |] eqn:c; [| discriminate].
    apply derivation_sound in c.
    pose proof (derivable_satisfied _ _ f (ex_intro _ n c) m) as less. simpl in less. lia.
  - destruct (nth_error rs k) as [r |] eqn:found; [| discriminate].
    apply nth_error_In in found. apply existsb_exists in ok as (x & inside & ok).
    destruct (derivation i x w) as [n |] eqn:e; [| discriminate].
    assert (derivable i x) as d by (exists n; eapply derivation_sound; eassumption).
    destruct b; [left | right].
    + split; [assumption |]. intros [f m]. destruct r as [[p o] q].
      destruct (model_extended _ _ _ m) as [own each].
      eapply complement_excludes; [exact inside | eapply derivable_satisfied; eassumption |].
      eapply each. exact found.
    + split; [assumption |]. eauto.
Qed.

Lemma allows_sound : forall i b rs a, has_consistency i b -> allows i b rs a = true ->
  ~ denied i rs.
Proof.
  intros i b rs a known_ ok. apply consistency_cases in known_. destruct a as [t | ts]; simpl in ok.
  - apply andb_prop in ok as [ok is]. apply andb_prop in ok as [-> mono].
    intros [[_ none] | [not _]]; [| contradiction].
    apply none. exists (at_ t). apply checked_model; assumption.
  - apply andb_prop in ok as [ok each]. apply andb_prop in ok as [no mono].
    destruct b; [discriminate |].
    intros [[yes _] | [_ (r & x & inr & inx & d)]]; [contradiction |].
    rewrite forallb_forall in each.
    apply (some_counters i x ts mono); [apply each, in_flat_map; eauto | assumption].
Qed.

Lemma places_sound : forall i a t, places i a t = true -> fits i a.
Proof.
  intros i a t ok. unfold places in ok. apply andb_prop in ok as [ok same].
  apply andb_prop in ok as [mono is]. exists (at_ t). split; [apply checked_model; assumption |].
  intros p x q y here there. rewrite forallb_forall in same. specialize (same _ here). simpl in same.
  rewrite forallb_forall in same. specialize (same _ there). simpl in same.
  apply eqb_prop in same. rewrite <- !Z.ltb_lt, same. reflexivity.
Qed.

Lemma breaks_sound : forall i a w, breaks i a w = true -> ~ fits i a.
Proof.
  intros i a [p strides] ok (f & m & same). unfold breaks in ok. simpl in ok.
  destruct (follow i p strides) as [[[s n] q] |] eqn:e; [| discriminate].
  apply follow_sound in e. apply existsb_exists in ok as ([u x] & here & ok).
  apply existsb_exists in ok as ([z y] & there & ok). apply andb_prop in ok as [ok broken].
  apply andb_prop in ok as [ok to]. apply Nat.eqb_eq in ok, to. subst u z. destruct s.
  - assert (derivable i (Less p q)) as d by (exists n; constructor; assumption).
    apply (derivable_satisfied _ _ f d) in m. simpl in m. apply Z.leb_le in broken.
    apply (same _ _ _ _ here there) in m. lia.
  - assert (derivable i (At_most p q)) as d by (exists n; econstructor; eassumption).
    apply (derivable_satisfied _ _ f d) in m. simpl in m. apply Z.ltb_lt in broken.
    apply (same _ _ _ _ there here) in broken. lia.
Qed.

(** * Statements *)

Ltac some_part ok :=
  apply existsb_exists in ok as ([] & _ & ok); try discriminate.

Lemma shown_sound : forall i rs e, shown i rs e = true -> all_derivable i rs.
Proof. intros i rs e ok. some_part ok. eapply derives_all_sound. eassumption. Qed.

Lemma not_shown_sound : forall i rs e, not_shown i rs e = true -> ~ all_derivable i rs.
Proof. intros i rs e ok. some_part ok. eapply derives_not_sound. eassumption. Qed.

Lemma is_denied_sound : forall i b rs e, has_consistency i b -> is_denied i b rs e = true ->
  denied i rs.
Proof. intros i b rs e known_ ok. some_part ok. eapply denies_sound; eassumption. Qed.

Lemma is_allowed_sound : forall i b rs e, has_consistency i b -> is_allowed i b rs e = true ->
  ~ denied i rs.
Proof. intros i b rs e known_ ok. some_part ok. eapply allows_sound; eassumption. Qed.

Lemma is_carried_sound : forall i rs e, is_carried i rs e = true -> all_derivable i rs.
Proof. intros i rs e ok. some_part ok. eapply derives_all_sound. eassumption. Qed.

Lemma not_carried_sound : forall i rs e, not_carried i rs e = true -> ~ all_derivable i rs.
Proof. intros i rs e ok. some_part ok. eapply derives_not_sound. eassumption. Qed.

Lemma same_relation_iff : forall r s, same_relation r s = true <-> r = s.
Proof.
  intros [[p o] q] [[a u] b]. unfold same_relation. split.
  - intro ok. apply andb_prop in ok as [ok z]. apply andb_prop in ok as [x y].
    apply Nat.eqb_eq in x, z. subst. destruct o, u; try discriminate; reflexivity.
  - intro same. injection same; intros; subst. rewrite !Nat.eqb_refl. destruct u; reflexivity.
Qed.

Lemma among_iff : forall r rs, existsb (same_relation r) rs = true <-> In r rs.
Proof.
  intros r rs. rewrite existsb_exists. split.
  - intros (s & inside & same). apply same_relation_iff in same. subst. assumption.
  - intro inside. exists r. split; [assumption | apply same_relation_iff; reflexivity].
Qed.

Lemma known_iff : forall m rs, known m rs = true <-> restated m rs.
Proof.
  intros m rs. unfold known, restated. rewrite forallb_forall.
  split; intros all r inside; specialize (all r inside);
    [apply orb_prop in all | apply orb_true_iff]; rewrite !among_iff in *; exact all.
Qed.

Lemma check_holds_sound : forall i b l m later rs v e, has_consistency i b ->
  check_holds i b m rs v e = true -> judged i l m later (Holds rs) v.
Proof.
  intros i b l m later rs v e known_ ok. unfold check_holds in ok.
  apply andb_prop in ok as [ok proof]. apply andb_prop in ok as [_ new].
  apply eqb_prop in new.
  assert (v = Restated -> restated m rs) as old
    by (intros ->; apply known_iff; rewrite new; reflexivity).
  assert (v <> Restated -> ~ restated m rs) as fresh.
  { intros other yes. apply known_iff in yes. rewrite yes in new. destruct v; try discriminate.
    contradiction. }
  destruct v; try discriminate.
  - apply andb_prop in proof as [no not]. apply Holds_contradicts;
      [apply fresh; discriminate | eapply not_shown_sound | eapply is_denied_sound]; eassumption.
  - apply andb_prop in proof as [proof none]. apply andb_prop in proof as [not may].
    apply Holds_open; [apply fresh; discriminate | eapply not_shown_sound; eassumption
      | eapply is_allowed_sound; eassumption |].
    destruct (wrong m) eqn:w; [| eapply not_carried_sound; eassumption].
    unfold extended. rewrite app_nil_r. replace (Item (premise i) (claimed i)) with i
      by (destruct i; reflexivity). eapply not_shown_sound. eassumption.
  - apply andb_prop in proof as [proof yes]. apply andb_prop in proof as [not may].
    apply Holds_carried; [apply fresh; discriminate | eapply not_shown_sound; eassumption
      | eapply is_allowed_sound; eassumption | eapply is_carried_sound; eassumption].
  - apply Holds_follows; [apply fresh; discriminate | eapply shown_sound; eassumption].
  - apply Is_restated, old. reflexivity.
Qed.

Lemma same_label_iff : forall l k, same_label l k = true <-> l = k.
Proof. intros [] []; simpl; split; intro e; congruence. Qed.

Lemma check_plain_sound : forall i d s r e,
  has_status i (its_status d) -> has_consistency i (its_consistency d) ->
  check_plain i d s r e = true ->
  plainly s /\ if r then right i (its_label d) s else ~ right i (its_label d) s.
Proof.
  intros i d s r e status_ known_ ok. destruct s; simpl in ok; try discriminate;
    (split; [exact I |]); simpl.
  - destruct r; [eapply is_denied_sound | eapply is_allowed_sound]; eassumption.
  - destruct r; [eapply is_allowed_sound; eassumption |].
    intro none. apply none. eapply is_denied_sound; eassumption.
  - destruct r; [eapply not_shown_sound; eassumption |].
    intro none. apply none. eapply shown_sound; eassumption.
  - destruct r.
    + apply andb_prop in ok as [not may].
      split; [eapply not_shown_sound | eapply is_allowed_sound]; eassumption.
    + intros [not may]. apply orb_prop in ok as [no | yes];
        [apply may; eapply is_denied_sound | apply not; eapply shown_sound]; eassumption.
  - destruct r.
    + some_part ok. eapply places_sound. eassumption.
    + apply orb_prop in ok as [no | ok].
      * destruct (its_consistency d); [discriminate |]. apply consistency_cases in known_.
        intros (f & m & _). apply known_. apply consistent_iff_model. eauto.
      * some_part ok. eapply breaks_sound. eassumption.
  - apply eqb_prop in ok. destruct r; [apply same_label_iff; auto |].
    intro same. apply same_label_iff in same. congruence.
  - apply eqb_prop in ok. destruct r.
    + destruct (its_status d); try discriminate. assumption.
    + intro yes. rewrite (status_unique _ _ _ status_ yes) in ok. discriminate.
  - apply eqb_prop in ok. apply consistency_cases in known_.
    destruct r, (its_consistency d); simpl in ok; try discriminate; auto.
  - apply eqb_prop in ok. subst. apply consistency_cases in known_.
    destruct (its_consistency d); assumption.
Qed.

Lemma taken_back_iff : forall later, taken_back later = true -> In Takes_back later.
Proof.
  intros later ok. apply existsb_exists in ok as ([] & inside & ok); try discriminate. assumption.
Qed.

Lemma check_statement_sound : forall i d m later s v e,
  has_status i (its_status d) -> has_consistency i (its_consistency d) ->
  check_statement i d m later s v e = true -> judged i (its_label d) m later s v.
Proof.
  intros i d m later s v e status_ known_ ok.
  destruct v; simpl in ok;
    try (destruct s; try discriminate;
      solve [eapply check_holds_sound; eassumption
        | apply Is_unreadable | apply Is_assumed | apply Is_taking_back
        | apply Is_withdrawn; [discriminate | apply taken_back_iff; assumption]
        | exfalso; unfold check_holds in ok; rewrite andb_false_r in ok; discriminate
        | eapply (Plainly_right _ _ _ _ _); eapply (check_plain_sound _ d _ true); eassumption
        | eapply (Plainly_wrong _ _ _ _ _); eapply (check_plain_sound _ d _ false); eassumption]).
Qed.

Lemma check_all_sound : forall i d,
  has_status i (its_status d) -> has_consistency i (its_consistency d) ->
  forall a m, check_all i d m a = true -> all_judged i (its_label d) m (map fst a).
Proof.
  intros i d status_ known_. induction a as [| [[s v] e] rest IH]; intros m ok; simpl in *.
  - constructor.
  - apply andb_prop in ok as [one more]. constructor; [| auto]. rewrite map_map.
    eapply check_statement_sound; eassumption.
Qed.

(** * Chains *)

Lemma same_judgement_iff : forall v w, same_judgement v w = true <-> v = w.
Proof.
  intros v w. unfold same_judgement. rewrite Nat.eqb_eq.
  split; [| intros ->; reflexivity]. destruct v, w; simpl; intro; congruence.
Qed.

(** An accepted chain: the verdict of its item holds, and all that is said of its steps is true. *)
Theorem check_chain_sound : forall i u d c steps first, check_chain i u d c steps first = true ->
  has_status i (its_status d) /\ has_consistency i (its_consistency d) /\
  labelled_by i u (its_label d) /\ has_hops i (its_status d) (its_hops d) /\
  true_of i (its_label d) (chain_of steps first).
Proof.
  intros i u d c steps first ok. unfold check_chain in ok.
  apply andb_prop in ok as [ok error]. apply andb_prop in ok as [ok summed].
  apply andb_prop in ok as [proved each].
  apply check_by_sound in proved as (hs & hb & hl & hh). repeat split; try assumption.
  - apply check_all_sound in each; [| assumption ..]. simpl. rewrite map_map.
    rewrite concat_map in each. rewrite map_map in each.
    replace (map (fun x => fst (let '(a, v) := x in (map fst a, v))) steps)
      with (map (fun x => map fst (fst x)) steps); [assumption |].
    apply map_ext. intros [a v]. reflexivity.
  - simpl. unfold judgements. simpl. rewrite !map_map. apply map_ext_in. intros [a v] inside.
    rewrite forallb_forall in summed. specialize (summed _ inside).
    apply same_judgement_iff in summed. simpl in *. rewrite map_map. exact summed.
  - apply same_number_sound in error. exact error.
Qed.

(** A statement has one verdict, but that it may be withdrawn as well. *)
Theorem judged_unique : forall i l m later s v w,
  judged i l m later s v -> judged i l m later s w -> v <> Withdrawn -> w <> Withdrawn -> v = w.
Proof.
  intros i l m later s v w one other nv nw.
  destruct one; inversion other; subst; simpl in *; try contradiction; try reflexivity; congruence.
Qed.

(** From a premise with a model, an order is derivable iff it holds in all of them. *)
Theorem order_derivable_iff_true_in_all_models : forall i p o q, consistent i ->
  (order_derivable i (p, o, q) <-> forall f, model i f -> ordered f p o q).
Proof.
  intros i p o q none.
  assert (forall f, (forall x, In x (compared p o q) -> satisfies f x) <-> ordered f p o q) as means.
  { intro f. destruct o; simpl; split; intro h;
      try (intros x inside; repeat (destruct inside as [<- | inside]); try contradiction; simpl; lia);
      try (specialize (h _ (or_introl eq_refl)); simpl in h; lia).
    pose proof (h _ (or_introl eq_refl)). pose proof (h _ (or_intror (or_introl eq_refl))).
    simpl in *. lia. }
  split.
  - intros d f m. apply means. intros x inside. eapply derivable_satisfied; [| exact m].
    eapply order_inequalities; eassumption.
  - intro all.
    assert (forall x, In x (compared p o q) -> derivable i x) as each.
    { intros x inside. apply derivable_iff_true_in_all_models; [assumption |].
      intros f m. apply means; auto. }
    destruct o; simpl; try exact each.
    destruct (each (At_most p q)) as [n d]; [simpl; auto |].
    destruct (each (At_most q p)) as [k e]; [simpl; auto |].
    inversion d as [| ? s ? ? there]; inversion e as [| ? t ? ? back]; subst.
    destruct (s || t) eqn:strict.
    { exfalso. apply (none p). exists (n + k). constructor. rewrite <- strict.
      eapply join; eassumption. }
    apply orb_false_elim in strict as [-> ->]. eauto.
Qed.
