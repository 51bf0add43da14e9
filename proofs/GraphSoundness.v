(** What the checker of labelled graphs accepts is true. *)
From Coq Require Import List Bool Arith ZArith Lia FMapPositive.
From Hopcheck Require Import Graphs GraphChecker.
Import ListNotations.
Open Scope Z_scope.

Ltac split_andb := repeat match goal with
  | H : _ && _ = true |- _ => apply andb_true_iff in H; destruct H
  end.

(** * Bindings *)

Definition keeps (b b' : bindings) := forall p e, lookup b p = Some e -> lookup b' p = Some e.
Definition one_each (b : bindings) :=
  forall p q e, lookup b p = Some e -> lookup b q = Some e -> p = q.

Lemma lookup_in b p e : lookup b p = Some e -> In (p, e) b.
Proof.
  induction b as [|[q e'] b IH]; simpl; [discriminate|].
  destruct (Z.eqb_spec q p).
  - intros [= ->]. subst. auto.
  - auto.
Qed.

Lemma lookup_none b p e : lookup b p = None -> ~ In (p, e) b.
Proof.
  induction b as [|[q e'] b IH]; simpl; [auto|].
  destruct (Z.eqb_spec q p); [discriminate|].
  intros H [[= -> ->]|I]; [congruence|]. exact (IH H I).
Qed.

Lemma unused b e : existsb (fun q : Z * Z => snd q =? e) b = false ->
  forall p, lookup b p <> Some e.
Proof.
  intros H p L. apply lookup_in in L.
  assert (X : existsb (fun q : Z * Z => snd q =? e) b = true).
  { apply existsb_exists. exists (p, e). simpl. rewrite Z.eqb_refl. auto. }
  congruence.
Qed.

Lemma bind_sound d b p e b' : bind d b p e = Some b' ->
  lookup b' p = Some e /\ keeps b b' /\ (d = true -> one_each b -> one_each b').
Proof.
  unfold bind. destruct (lookup b p) as [e'|] eqn:L.
  - destruct (Z.eqb_spec e' e); [|discriminate]. intros [= <-]. subst.
    unfold keeps. auto.
  - destruct (d && existsb _ b) eqn:X; [discriminate|]. intros [= <-].
    simpl. rewrite Z.eqb_refl. split; [auto|]. split.
    + intros q v K. simpl. destruct (Z.eqb_spec p q); [congruence|auto].
    + intros -> O. simpl in X. intros q r v. simpl.
      destruct (Z.eqb_spec p q), (Z.eqb_spec p r); intros A B; subst; auto.
      * injection A as <-. destruct (unused _ _ X r B).
      * injection B as <-. destruct (unused _ _ X q A).
      * exact (O _ _ _ A B).
Qed.

Definition places (xs : list step) := flat_map (fun x => [subject x; target x]) xs.
Definition follows_binding (s : binding) (b : bindings) :=
  forall p e, lookup b p = Some e -> s p = e.

Lemma extend_sound d b x f b' : extend d b x f = Some b' ->
  keeps b b' /\ (d = true -> one_each b -> one_each b') /\
  rel f = verb x /\ lookup b' (subject x) = Some (head f) /\
  lookup b' (target x) = Some (tail f).
Proof.
  unfold extend. destruct (Z.eqb_spec (rel f) (verb x)) as [E|]; [|discriminate].
  destruct (bind d b (subject x) (head f)) as [b1|] eqn:B1; [|discriminate].
  intros B2. apply bind_sound in B1, B2.
  destruct B1 as (L1 & K1 & O1), B2 as (L2 & K2 & O2).
  repeat split; auto. intros p e H. auto.
Qed.

Lemma extend_all_sound d xs : forall fs b b', extend_all d b xs fs = Some b' ->
  keeps b b' /\ (d = true -> one_each b -> one_each b') /\
  (forall p, In p (places (firstn (length fs) xs)) -> exists e, lookup b' p = Some e) /\
  (forall s, follows_binding s b' -> Forall2 (states s) (firstn (length fs) xs) fs).
Proof.
  induction xs as [|x xs IH]; intros [|f fs] b b'; simpl; try discriminate.
  1, 2: intros [= <-]; unfold keeps; repeat split; auto; simpl; tauto.
  destruct (extend d b x f) as [b1|] eqn:E; [|discriminate].
  intros H. apply IH in H. apply extend_sound in E.
  destruct H as (K & O & P & F), E as (K1 & O1 & V & L & R).
  repeat split.
  - intros p e X. auto.
  - auto.
  - simpl. intros p [<-|[<-|I]]; eauto.
  - intros s S. simpl. constructor; [|auto]. repeat split; auto; symmetry; apply S, K; auto.
Qed.

Definition binding_of (b : bindings) : binding :=
  fun p => match lookup b p with Some e => e | None => 0 end.

Lemma binding_of_follows b : follows_binding (binding_of b) b.
Proof. intros p e H. unfold binding_of. now rewrite H. Qed.

Lemma one_each_apart b xs : one_each b ->
  (forall p, In p (places xs) -> exists e, lookup b p = Some e) -> apart (binding_of b) xs.
Proof.
  intros O P p q A B E. destruct (P _ A) as [e X], (P _ B) as [e' Y].
  unfold binding_of in E. rewrite X, Y in E. subst. exact (O _ _ _ X Y).
Qed.

(** * Instances *)

Lemma found_sound g rs : forall fs, found g rs = Some fs -> facts_of g rs fs.
Proof.
  unfold facts_of. induction rs as [|r rs IH]; simpl; intros fs.
  - intros [= <-]. constructor.
  - destruct (M.find r g) as [f|] eqn:F, (found g rs); try discriminate.
    intros [= <-]. constructor; auto.
Qed.

Lemma in_lags_sound ls : forall fs, in_lags ls fs = true -> within ls fs.
Proof.
  induction ls as [|[low high] ls IH]; intros [|f [|h fs]] H; cbn in *; auto.
  split_andb. rewrite Z.leb_le in *. split; [lia|]. apply IH. auto.
Qed.

Lemma matching_sound c g i : matching c g i = true -> matches c g i.
Proof.
  unfold matching, matches. destruct (found g (rows i)) as [fs|] eqn:F; [|discriminate].
  destruct (extend_all _ [] (steps (shape i)) fs) as [b|] eqn:E; [|discriminate].
  intros H. apply andb_true_iff in H. destruct H as [L N].
  apply extend_all_sound in E. destruct E as (_ & O & P & S).
  exists (binding_of b), fs. repeat split.
  - now apply found_sound.
  - apply S, binding_of_follows.
  - intros D. apply one_each_apart; [|exact P]. apply O.
    + destruct D as [D|D]; rewrite D; [reflexivity|apply orb_true_r].
    + intros p q e X. discriminate.
  - now apply in_lags_sound.
  - unfold ends in N. apply orb_true_iff in N. destruct N as [N|N].
    + left. now apply Nat.eqb_eq.
    + right. apply andb_true_iff in N. destruct N as [N1 N2]. split; [auto|].
      destruct (rev fs) as [|f before] eqn:R; [discriminate|].
      destruct (nth_error _ _) as [[low high]|] eqn:T; [|discriminate].
      exists f, (rev before), low, high.
      rewrite rev_length. repeat split; auto; [|now apply Z.leb_le].
      rewrite <- (rev_involutive fs), R. reflexivity.
Qed.

(** * Support *)

(** What the checker finds of labels and levels. *)
Record checked (c : config) (g : graph) (is : instances) (ls : levels) : Prop := {
  matched : forall k i, M.find k is = Some i -> matches c g i;
  fewest : forall k i, M.find k is = Some i -> no_fewer ls i = true;
  all_shown : forall r f, M.find r g = Some f -> shown c is ls r = true }.

Lemma at_most_level ls n r : at_most ls n r = true <-> exists m, level_of ls r = Some m /\ (m <= n)%nat.
Proof.
  unfold at_most. destruct (level_of ls r) as [m|]; split.
  - intros H. apply Nat.leb_le in H. eauto.
  - intros (k & [= ->] & H). now apply Nat.leb_le.
  - discriminate.
  - intros (k & H & _). discriminate.
Qed.

Lemma greatest_least ls rs : forall n k, greatest ls rs = Some n ->
  (forall a, In a rs -> exists m, level_of ls a = Some m /\ (m <= k)%nat) -> (n <= k)%nat.
Proof.
  induction rs as [|r rs IH]; simpl; intros n k.
  - intros [= <-] _. lia.
  - destruct (level_of ls r) as [m|] eqn:L, (greatest ls rs) as [m'|]; try discriminate.
    intros [= <-] H. destruct (H r (or_introl eq_refl)) as (m1 & X & Y).
    rewrite L in X. injection X as <-.
    assert (m' <= k)%nat by (apply IH; auto). lia.
Qed.

(** Whatever derivations lead to a fact, its level is at most their number. *)
Lemma level_least c g is ls (R : checked c g is ls) n : forall r, derived is n r ->
  exists m, level_of ls r = Some m /\ (m <= n)%nat.
Proof.
  induction n as [n IH] using lt_wf_ind. intros r D. inversion D; subst.
  - pose proof (fewest _ _ _ _ R _ _ H) as N. unfold no_fewer in N. rewrite H0 in N.
    rewrite forallb_forall in N. apply at_most_level. auto.
  - pose proof (fewest _ _ _ _ R _ _ H) as N. unfold no_fewer in N. rewrite H0, H1 in N.
    rewrite rev_app_distr, removelast_last in N. simpl in N.
    destruct (greatest ls rs) as [m|] eqn:G; [|discriminate].
    apply at_most_level in N. destruct N as (k0 & L & X).
    exists k0. split; [auto|].
    assert (m <= n0)%nat; [|lia]. eapply greatest_least; eauto.
    intros a A. destruct (H2 a A) as (m0 & Y & Z).
    destruct (IH m0 ltac:(lia) a Z) as (m1 & L1 & X1). exists m1. split; [auto|lia].
Qed.

Lemma rows_found c g is ls (R : checked c g is ls) k i r :
  M.find k is = Some i -> In r (rows i) -> exists f, M.find r g = Some f.
Proof.
  intros F I. destruct (matched _ _ _ _ R _ _ F) as (s & fs & H & _).
  unfold facts_of in H. induction H as [|r' f rs fs' X _ IH]; simpl in I; [tauto|].
  destruct I as [->|I]; eauto.
Qed.

Lemma is_last_app r rs : is_last r rs = true -> rs = removelast rs ++ [r].
Proof.
  unfold is_last. destruct (rev rs) as [|q before] eqn:R; [discriminate|].
  intros H. apply Pos.eqb_eq in H. subst.
  assert (X : rs = rev before ++ [r]) by (rewrite <- (rev_involutive rs), R; reflexivity).
  rewrite X, removelast_last. reflexivity.
Qed.

Lemma level_shown c g is ls (R : checked c g is ls) n : forall r f,
  M.find r g = Some f -> level_of ls r = Some n -> derived is n r.
Proof.
  induction n as [n IH] using lt_wf_ind. intros r f F L.
  pose proof (all_shown _ _ _ _ R _ _ F) as S. unfold shown in S. unfold level_of in L.
  destruct (M.find r ls) as [[m k]|]; [|discriminate]. simpl in L. injection L as ->.
  destruct (M.find k is) as [i|] eqn:I; [|discriminate].
  apply andb_true_iff in S. destruct S as [S _]. destruct n as [|n].
  - split_andb. apply by_planting with k i; auto.
    unfold listed in H0. apply existsb_exists in H0. destruct H0 as (q & Q & E).
    apply Pos.eqb_eq in E. now subst.
  - split_andb. apply by_rule with k i (removelast (rows i)); auto.
    + now apply negb_true_iff.
    + now apply is_last_app.
    + intros a A. rewrite forallb_forall in H0. specialize (H0 a A).
      apply at_most_level in H0. destruct H0 as (m & X & Y).
      assert (In a (rows i)).
      { apply is_last_app in H1. rewrite H1. apply in_or_app. auto. }
      destruct (rows_found _ _ _ _ R _ _ _ I H0) as (h & K).
      exists m. split; [auto|]. eapply IH; eauto. lia.
Qed.

Theorem supported c g is ls (R : checked c g is ls) r f : M.find r g = Some f ->
  exists n, derived is n r /\ allowed c n /\ forall m, derived is m r -> (n <= m)%nat.
Proof.
  intros F. pose proof (all_shown _ _ _ _ R _ _ F) as S. unfold shown in S.
  destruct (M.find r ls) as [[n k]|] eqn:L; [|discriminate].
  assert (X : level_of ls r = Some n) by (unfold level_of; now rewrite L).
  exists n. repeat split.
  - eapply level_shown; eauto.
  - destruct (M.find k is); [|discriminate]. apply andb_true_iff in S.
    unfold allowed. destruct (depth c); [|auto]. now apply Nat.leb_le.
  - intros m D. destruct (level_least _ _ _ _ R _ _ D) as (n' & Y & Z). congruence.
Qed.

(** * Closure *)

Lemma usable_listed c g is ls (R : checked c g is ls) f :
  usable c g is f -> In f (usable_facts c g ls).
Proof.
  intros (r & n & F & D & A). unfold usable_facts. apply in_map_iff. exists (r, f).
  split; [auto|]. apply filter_In. split; [now apply M.elements_correct|].
  destruct (level_least _ _ _ _ R _ _ D) as (m & L & X). rewrite L.
  destruct (depth c); [|auto]. apply Nat.ltb_lt. lia.
Qed.

Definition agrees (s : binding) (ps : list Z) (b : bindings) :=
  forall p e, In (p, e) b -> In p ps /\ s p = e.

Lemma bind_complete s ps b p :
  (forall a b, In a ps -> In b ps -> s a = s b -> a = b) ->
  agrees s ps b -> In p ps ->
  exists b', bind true b p (s p) = Some b' /\ agrees s ps b'.
Proof.
  intros S A P. unfold bind. destruct (lookup b p) as [e|] eqn:L.
  - apply lookup_in in L. destruct (A _ _ L) as [_ <-]. rewrite Z.eqb_refl. eauto.
  - destruct (true && existsb _ b) eqn:X.
    + apply existsb_exists in X. destruct X as ([q e] & I & E). apply Z.eqb_eq in E. simpl in E.
      destruct (A _ _ I) as [Q R]. assert (q = p) by (apply S; congruence). subst q.
      destruct (lookup_none _ _ e L I).
    + exists ((p, s p) :: b). split; [auto|]. intros q e [[= <- <-]|I]; auto.
Qed.

Lemma extend_complete s ps b x f :
  (forall a b, In a ps -> In b ps -> s a = s b -> a = b) ->
  agrees s ps b -> In (subject x) ps -> In (target x) ps -> states s x f ->
  exists b', extend true b x f = Some b' /\ agrees s ps b'.
Proof.
  intros S A P Q (H & V & T). unfold extend. rewrite V, Z.eqb_refl, H, T.
  destruct (bind_complete s ps b (subject x) S A P) as (b1 & -> & A1).
  exact (bind_complete s ps b1 (target x) S A1 Q).
Qed.

(** Facts follow one of this time. *)
Fixpoint after (t : Z) (ls : list (Z * Z)) (fs : list fact) : Prop :=
  match fs with
  | [] => True
  | f :: fs =>
      match ls with
      | (low, high) :: ls => low <= time f - t <= high /\ after (time f) ls fs
      | [] => False
      end
  end.

Fixpoint end_time (t : Z) (fs : list fact) : Z :=
  match fs with [] => t | f :: fs => end_time (time f) fs end.

Lemma joined_complete us s ps :
  (forall a b, In a ps -> In b ps -> s a = s b -> a = b) ->
  forall xs fs lags b t, agrees s ps b -> incl (places xs) ps -> Forall2 (states s) xs fs ->
  (forall f, In f fs -> In f us) -> after t lags fs ->
  exists b', In (b', end_time t fs)
      (joined lags (map (fun x => (x, related (verb x) us)) xs) b t) /\
    agrees s ps b' /\ keeps b b' /\
    forall p, In p (places xs) -> exists e, lookup b' p = Some e.
Proof.
  intros S. induction xs as [|x xs IH]; intros fs lags b t A P F U T; inversion F; subst.
  - exists b. destruct lags; (split; [simpl; auto|]; split; [exact A|]; split;
      [unfold keeps; auto|intros q []]).
  - rename y into f, l' into rest. destruct lags as [|[low high] lags]; [destruct T|].
    destruct T as [T1 T2]. assert (I : incl (places xs) ps).
    { intros p Q. apply P. simpl. auto. }
    destruct (extend_complete s ps b x f S A) as (b1 & E & A1); auto.
    1, 2: apply P; simpl; auto.
    destruct (IH rest lags b1 (time f) A1 I H3) as (b' & J & A' & K' & L'); auto.
    { intros h Q. apply U. simpl. auto. }
    pose proof (extend_sound _ _ _ _ _ E) as (K1 & _ & V & X & Y).
    exists b'. split; [|split; [exact A'|split]].
    + simpl. apply in_flat_map. exists f. split.
      * unfold related. apply filter_In. split; [apply U; simpl; auto|now apply Z.eqb_eq].
      * assert (Z1 : low <=? time f - t = true) by (apply Z.leb_le; lia).
        assert (Z2 : time f - t <=? high = true) by (apply Z.leb_le; lia).
        rewrite Z1, Z2, E. exact J.
    + intros p e H. auto.
    + simpl. intros q [<-|[<-|Q]]; eauto.
Qed.

Lemma within_after ls1 : forall f fs extra, within ls1 (f :: fs) -> length ls1 = length fs ->
  after (time f) (ls1 ++ extra) fs.
Proof.
  induction ls1 as [|[low high] ls1 IH]; intros f [|h fs] extra W L; simpl in *; try discriminate.
  1: destruct extra; exact I.
  destruct W as [W1 W2]. split; [auto|]. apply IH; auto.
Qed.

Lemma end_time_last f fs l t : f :: fs = l ++ [t] -> end_time (time f) fs = time t.
Proof.
  revert f fs. induction l as [|x l IH]; intros f fs [= -> ->]; [reflexivity|].
  destruct l as [|y l]; [reflexivity|]. simpl. apply IH. reflexivity.
Qed.

Theorem closure c g is ls (R : checked c g is ls) p :
  closed_under c (map snd (M.elements g)) (usable_facts c g ls) p = true -> complete c g is p.
Proof.
  intros C s fs last ls1 low high F S U L N W T.
  unfold closed_under in C. rewrite forallb_forall in C.
  set (us := usable_facts c g ls) in *.
  assert (V : forall f, In f (fs ++ [last]) -> In f us).
  { rewrite Forall_forall in U. intros f I. apply (usable_listed _ _ _ _ R). auto. }
  assert (X : exists b, In (b, time last) (all_joined us p) /\
    agrees s (places (antecedents p)) b).
  { unfold all_joined. destruct (fs ++ [last]) as [|f rest] eqn:E;
      [destruct fs; discriminate|].
    destruct (antecedents p) as [|x xs]; inversion F; subst.
    destruct (extend_complete s (places (x :: xs)) [] x f) as (b1 & B & A1); auto.
    { intros q e []. }
    1, 2: simpl; auto.
    assert (LR : length ls1 = length rest).
    { apply (f_equal (@length _)) in E. rewrite app_length in E. simpl in E. lia. }
    destruct (joined_complete us s (places (x :: xs)) S xs rest (lags p) b1 (time f))
      as (b' & J & A' & _); auto.
    { intros q Q. simpl. auto. }
    { intros h Q. apply V. simpl. auto. }
    { rewrite L. apply within_after; auto. }
    pose proof (extend_sound _ _ _ _ _ B) as (_ & _ & W1 & _).
    exists b'. split; [|exact A']. simpl. apply in_flat_map. exists f. split.
    { unfold related. apply filter_In. split; [apply V; simpl; auto|now apply Z.eqb_eq]. }
    rewrite B. rewrite <- (end_time_last f rest fs last (eq_sym E)). exact J. }
  destruct X as (b & J & A). specialize (C _ J). unfold has_consequence in C.
  rewrite L, rev_app_distr in C. simpl in C.
  destruct (lookup b (subject (consequence p))) as [h|] eqn:H; [|discriminate].
  destruct (lookup b (target (consequence p))) as [e|] eqn:O; [|discriminate].
  apply orb_true_iff in C. destruct C as [C|C].
  { apply Z.leb_le in C. lia. }
  apply existsb_exists in C. destruct C as (f & I & Y). split_andb.
  unfold related in I. apply filter_In in I. destruct I as [I B].
  rewrite Z.eqb_eq in *. rewrite Z.leb_le in *.
  apply in_map_iff in I. destruct I as ([r f'] & [= ->] & I).
  exists r, f. split; [now apply M.elements_complete|].
  apply lookup_in in H, O. destruct (A _ _ H) as [_ <-], (A _ _ O) as [_ <-].
  unfold states. repeat split; auto; lia.
Qed.

(** * Graphs *)

Lemma seen_added s f h : incl (seen_with s h) (seen_with (M.add (key f) (f :: seen_with s f) s) h).
Proof.
  intros x I. unfold seen_with at 1. destruct (Pos.eq_dec (key h) (key f)) as [E|E].
  - rewrite E, M.gss. right. unfold seen_with in *. now rewrite <- E.
  - rewrite M.gso; auto.
Qed.

Lemma same_in f fs : In f fs -> existsb (same f) fs = true.
Proof.
  intros I. apply existsb_exists. exists f. split; [exact I|].
  unfold same. now rewrite !Z.eqb_refl.
Qed.

Lemma no_repeats_new fs : forall s, no_repeats s fs = true ->
  forall f, In f fs -> ~ In f (seen_with s f).
Proof.
  induction fs as [|h fs IH]; simpl; intros s H f; [tauto|].
  apply andb_true_iff in H. destruct H as [N H]. apply negb_true_iff in N.
  intros [->|I] B.
  - apply same_in in B. congruence.
  - apply (IH _ H f I). now apply seen_added.
Qed.

Lemma no_repeats_sound (l : list (positive * fact)) : forall s, no_repeats s (map snd l) = true ->
  forall r r' f, In (r, f) l -> In (r', f) l -> r = r'.
Proof.
  assert (R : forall r f (l : list (positive * fact)), In (r, f) l -> In f (map snd l)).
  { intros r f l0 I. apply in_map_iff. exists (r, f). auto. }
  induction l as [|[q h] l IH]; simpl; intros s H r r' f; [tauto|].
  apply andb_true_iff in H. destruct H as [_ H].
  assert (N : ~ In h (map snd l)).
  { intros I. apply (no_repeats_new _ _ H h I). unfold seen_with at 1. rewrite M.gss. simpl. auto. }
  intros [[= <- <-]|A] [[= <-]|B]; auto.
  - destruct (N (R _ _ _ B)).
  - subst. destruct (N (R _ _ _ A)).
  - exact (IH _ H _ _ _ A B).
Qed.

(** An accepted graph has each fact once; its labels are right; derivations, as few as its level and
    as are allowed, lead to each fact from planted ones; and no consequence is missing. *)
Theorem check_graph_sound c g is ls forward ps : check_graph c g is ls forward ps = true ->
  (forall r r' f, M.find r g = Some f -> M.find r' g = Some f -> r = r') /\
  (forall k i, M.find k is = Some i -> matches c g i) /\
  (forall r f, M.find r g = Some f ->
     exists n, derived is n r /\ allowed c n /\ forall m, derived is m r -> (n <= m)%nat) /\
  (forward = true -> forall p, In p ps -> due p = true -> complete c g is p).
Proof.
  unfold check_graph. intros H. split_andb.
  rewrite forallb_forall in H1, H2, H3.
  assert (R : checked c g is ls).
  { constructor.
    - intros k i F. apply matching_sound. apply (H3 (k, i)). now apply M.elements_correct.
    - intros k i F. apply (H2 (k, i)). now apply M.elements_correct.
    - intros r f F. apply (H1 (r, f)). now apply M.elements_correct. }
  repeat split.
  - intros r r' f X Y. apply (no_repeats_sound _ _ H r r' f); now apply M.elements_correct.
  - exact (matched _ _ _ _ R).
  - exact (supported _ _ _ _ R).
  - intros -> p I P. simpl in H0. rewrite forallb_forall in H0. specialize (H0 p I).
    rewrite P in H0. simpl in H0. eapply closure; eauto.
Qed.
