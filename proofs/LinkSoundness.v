(** What the checker of annotated links accepts is true. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Links LinkChecker.
Import ListNotations.

(** * Timelines *)

Definition instants_of (t : list Z) : line := fun p => nth p t 0%Z.

Lemma at_least_sound t p s q : at_least t p s q = true -> in_order (instants_of t) p s q.
Proof. unfold at_least, in_order, instants_of. destruct s; intros H; lia. Qed.

Lemma links_hold_sound d t : forall ls gone, links_hold d t gone ls = true ->
  forall i l, nth_error ls i = Some l -> has gone i = false -> holds d (instants_of t) l.
Proof.
  induction ls as [|l ls IH]; intros gone H [|i] l'; simpl in *; try discriminate;
    apply andb_true_iff in H; destruct H as [H1 H2].
  - intros [= <-] G p s q I.
    assert (X : hd false gone = false) by (destruct gone; auto).
    rewrite X in H1. simpl in H1. unfold link_holds in H1. rewrite forallb_forall in H1.
    exact (at_least_sound _ _ _ _ (H1 _ I)).
  - intros N G. apply (IH _ H2 i l' N). unfold has in *. destruct gone; simpl in *; auto.
    destruct i; auto.
Qed.

Lemma check_line_sound d gone t : check_line d gone t = true ->
  timeline_of d gone (instants_of t).
Proof.
  unfold check_line. intros H. apply andb_true_iff in H. destruct H as [H C].
  apply andb_true_iff in H. destruct H as [N L]. rewrite forallb_forall in N, C. repeat split.
  - intros n X. apply at_least_sound. apply N. apply in_seq. lia.
  - exact (links_hold_sound d t _ _ L).
  - intros X. specialize (C _ H). simpl in C. rewrite forallb_forall in C.
    specialize (C _ H0). simpl in C.
    destruct (Z.compare_spec x y) as [->|E|E]; try lia.
    unfold instants_of. lia.
  - intros ->. specialize (C _ H). simpl in C. rewrite forallb_forall in C.
    specialize (C _ H0). simpl in C. rewrite Z.compare_refl in C.
    apply andb_true_iff in C. unfold instants_of. lia.
Qed.

(** * Cycles *)

Lemma in_order_trans t p s q s' r : in_order t p s q -> in_order t q s' r ->
  in_order t p (s || s') r.
Proof. destruct s, s'; simpl; lia. Qed.

Lemma stronger_cases a b s : stronger a b = Some s -> a = Some s \/ b = Some s.
Proof. destruct a as [[]|], b as [[]|]; simpl; intros [= <-]; auto. Qed.

Lemma fold_stronger {A} (g : option bool -> A -> option bool) (f : A -> option (option bool)) xs :
  (forall b x, g b x = match f x with Some c => stronger b c | None => b end) ->
  forall a s, fold_left g xs a = Some s ->
  a = Some s \/ exists x, In x xs /\ f x = Some (Some s).
Proof.
  intros G. induction xs as [|x xs IH]; simpl; intros a s H; [auto|].
  destruct (IH _ _ H) as [E|(y & I & E)]; [|eauto]. rewrite G in E.
  destruct (f x) as [b|] eqn:F; [|auto].
  destruct (stronger_cases _ _ _ E); subst; eauto.
Qed.

Lemma way_sound t es : (forall p s q, In (p, s, q) es -> in_order t p s q) ->
  forall k p q s, way k es p q = Some s -> in_order t p s q.
Proof.
  intros E. induction k as [|k IH]; intros p q s; simpl.
  - destruct (Nat.eqb_spec p q); [|discriminate]. intros [= <-]. subst. simpl. lia.
  - intros H.
    apply (fold_stronger _ (fun '(x, s, y) =>
      if x =? p then Some (match way k es y q with Some s' => Some (s || s') | None => None end)
      else None)) in H.
    2: { intros b [[x s1] y]. destruct (x =? p); reflexivity. }
    destruct H as [F|(((x & s1) & y) & I & F)].
    + destruct (Nat.eqb_spec p q); [|discriminate]. injection F as <-. subst. simpl. lia.
    + destruct (Nat.eqb_spec x p); [|discriminate]. subst x.
      destruct (way k es y q) as [s2|] eqn:W; [|discriminate]. injection F as <-.
      eapply in_order_trans; eauto.
Qed.

Lemma end_of_order d gone t l i : timeline_of d gone t ->
  left_node l < nodes d -> right_node l < nodes d ->
  nth_error (links d) i = Some l -> has gone i = false ->
  forall p s q, In (p, s, q) (inequalities d l) -> in_order t (end_of l p) s (end_of l q).
Proof.
  intros (N & L & _) A B I G p s q [[= <- <- <-]|[[= <- <- <-]|X]].
  - exact (N _ A).
  - exact (N _ B).
  - exact (L _ _ I G _ _ _ X).
Qed.

Lemma leads_sound d gone t l i p q s : timeline_of d gone t ->
  left_node l < nodes d -> right_node l < nodes d ->
  nth_error (links d) i = Some l -> has gone i = false ->
  leads d l p q = Some s -> in_order t p s q.
Proof.
  intros T A B I G H. unfold leads in H.
  apply (fold_stronger _ (fun '(x, y) =>
    if (end_of l x =? p) && (end_of l y =? q) then Some (way 3 (inequalities d l) x y)
    else None)) in H.
  2: { intros b [x y]. destruct (_ && _); reflexivity. }
  destruct H as [H|((x & y) & _ & H)]; [discriminate|].
  destruct ((end_of l x =? p) && (end_of l y =? q)) eqn:E; [|discriminate].
  apply andb_true_iff in E. destruct E as [X Y].
  apply Nat.eqb_eq in X, Y. subst.
  assert (W : way 3 (inequalities d l) x y = Some s) by congruence.
  exact (way_sound (fun k => t (end_of l k)) _ (end_of_order d gone t l i T A B I G) _ _ _ _ W).
Qed.

(** All links are between nodes of the document. *)
Definition well_formed (d : document) : Prop :=
  Forall (fun l => left_node l < nodes d /\ right_node l < nodes d) (links d).

Lemma duration_sound d gone t p q : timeline_of d gone t -> duration d p q = true ->
  in_order t p true q.
Proof.
  intros (N & _) H. unfold duration in H. apply existsb_exists in H. destruct H as (n & I & E).
  apply in_seq in I. apply andb_true_iff in E. destruct E as [X Y].
  apply Nat.eqb_eq in X, Y. subst. apply N. lia.
Qed.

Lemma date_of_in d p x : date_of d p = Some x -> In (p, x) (dated d).
Proof.
  unfold date_of. destruct (find _ (dated d)) as [[q y]|] eqn:F; [|discriminate].
  intros [= <-]. apply find_some in F. destruct F as [I E]. apply Nat.eqb_eq in E.
  simpl in *. now subst.
Qed.

Lemma by_date_sound d gone t p q s : timeline_of d gone t -> by_date d p q = Some s ->
  in_order t p s q.
Proof.
  intros (_ & _ & C) H. unfold by_date in H.
  destruct (date_of d p) as [x|] eqn:X; [|discriminate].
  destruct (date_of d q) as [y|] eqn:Y; [|discriminate].
  apply date_of_in in X, Y. destruct (C _ _ _ _ X Y) as [A B].
  destruct (Z.compare_spec x y); [| |discriminate]; injection H as <-; simpl; [|auto].
  rewrite B; auto. lia.
Qed.

(** A move whose link is not gone leads forwards on each timeline of the rest. *)
Lemma strength_sound d gone t p q n s : well_formed d -> timeline_of d gone t ->
  (forall k, n = Some k -> has gone k = false) -> strength d (p, q, n) = Some s ->
  in_order t p s q.
Proof.
  intros W T G H. destruct n as [k|]; simpl in H.
  - destruct (nth_error (links d) k) as [l|] eqn:N; [|discriminate].
    assert (X := nth_error_In _ _ N). unfold well_formed in W. rewrite Forall_forall in W.
    destruct (W _ X). eapply leads_sound; eauto.
  - destruct (duration d p q) eqn:D.
    + injection H as <-. eapply duration_sound; eauto.
    + eapply by_date_sound; eauto.
Qed.

Lemma walk_sound d t q : forall ms p s, walk d p ms q = Some s ->
  (forall x y n s', In (x, y, n) ms -> strength d (x, y, n) = Some s' -> in_order t x s' y) ->
  in_order t p s q.
Proof.
  induction ms as [|[[x y] n] ms IH]; intros p s H M.
  - simpl in H. destruct (Nat.eqb_spec p q); [|discriminate]. injection H as <-. subst. simpl. lia.
  - cbn [walk] in H. destruct (Nat.eqb_spec x p); [|discriminate]. subst x.
    destruct (strength d (p, y, n)) as [s1|] eqn:S; [|discriminate].
    destruct (walk d y ms q) as [s2|] eqn:K; [|discriminate]. injection H as <-.
    apply in_order_trans with y.
    + apply (M p y n); [left; reflexivity|exact S].
    + apply IH; [exact K|]. intros x z m s' I. apply M. now right.
Qed.

(** No timeline orders the moves of an accepted cycle. *)
Lemma cycle_impossible d ms t : check_cycle d ms = true ->
  ~ (forall x y n s, In (x, y, n) ms -> strength d (x, y, n) = Some s -> in_order t x s y).
Proof.
  unfold check_cycle. destruct ms as [|[[p y] n] ms]; [discriminate|].
  destruct (walk d p _ p) as [s|] eqn:K; [|discriminate]. intros -> M.
  pose proof (walk_sound d t p _ _ _ K M) as X. simpl in X. lia.
Qed.

Lemma formed_sound d : formed d = true -> well_formed d.
Proof.
  unfold formed, well_formed. rewrite forallb_forall, Forall_forall. intros H l I.
  specialize (H l I). apply andb_true_iff in H. rewrite !Nat.ltb_lt in H. exact H.
Qed.

(** A document with an accepted cycle has no timeline. *)
Theorem check_inconsistent_sound d ms : check_inconsistent d ms = true ->
  ~ consistent_without d [].
Proof.
  intros H (t & T). unfold check_inconsistent in H. apply andb_true_iff in H.
  destruct H as [W C]. apply formed_sound in W. apply (cycle_impossible d ms t C). intros x y n s _ S.
  apply (strength_sound d [] t x y n s W T); [|exact S].
  intros k _. unfold has. destruct k; reflexivity.
Qed.

Lemma check_line_consistent d gone t : check_line d gone t = true -> consistent_without d gone.
Proof. intros H. exists (instants_of t). now apply check_line_sound. Qed.

(** A document with an accepted timeline is consistent. *)
Theorem check_consistent_sound d t : check_consistent d t = true -> consistent_without d [].
Proof. apply check_line_consistent. Qed.

(** * Choices of links *)

Lemma has_nil i : has [] i = false.
Proof. unfold has. destruct i; reflexivity. Qed.

Lemma has_union a : forall b i, has (union a b) i = has a i || has b i.
Proof.
  induction a as [|x a IH]; intros [|y b] i; simpl; rewrite ?has_nil, ?orb_false_r; auto.
  destruct i as [|i]; [reflexivity|]. exact (IH b i).
Qed.

Lemma has_minus a : forall b i, has (minus a b) i = has a i && negb (has b i).
Proof.
  induction a as [|x a IH]; intros [|y b] i; simpl; rewrite ?has_nil; simpl;
    rewrite ?andb_true_r; auto.
  destruct i as [|i]; [reflexivity|]. exact (IH b i).
Qed.

Definition within (a b : choice) : Prop := forall i, has a i = true -> has b i = true.

Lemma subset_spec a : forall b, subset a b = true <-> within a b.
Proof.
  unfold within. induction a as [|x a IH]; intros b.
  - simpl. split; [|auto]. intros _ i H. rewrite has_nil in H. discriminate.
  - assert (D : subset (x :: a) b = (negb x || hd false b) && subset a (tl b)).
    { destruct b; simpl; [now rewrite orb_false_r|reflexivity]. }
    rewrite D, andb_true_iff, IH. split.
    + intros [X Y] [|i] H; [|specialize (Y i H)]; unfold has in *; destruct b; simpl in *; subst;
        auto. destruct i; auto.
    + intros H. split.
      * destruct x; [|reflexivity]. specialize (H 0 eq_refl). unfold has in H.
        destruct b; auto.
      * intros i X. specialize (H (S i) X). unfold has in *.
        destruct b; simpl in *; auto; discriminate.
Qed.

Definition disjoint (a b : choice) : Prop := forall i, has a i = true -> has b i = false.

Lemma apart_spec a : forall b, LinkChecker.apart a b = true -> disjoint a b.
Proof.
  unfold disjoint. induction a as [|x a IH]; intros [|y b]; simpl; intros H i X.
  - apply has_nil.
  - rewrite has_nil in X. discriminate.
  - apply has_nil.
  - apply andb_true_iff in H. destruct H as [H1 H2]. destruct i as [|i].
    + unfold has in *. simpl in *. subst x. now destruct y.
    + exact (IH b H2 i X).
Qed.

Lemma weight_nonneg ws : Forall (Z.le 0) ws -> forall a, (0 <= weight ws a)%Z.
Proof.
  induction 1 as [|w ws H _ IH]; intros [|x a]; simpl; try lia.
  specialize (IH a). destruct x; lia.
Qed.

Lemma weight_within ws : Forall (Z.le 0) ws -> forall a b, within a b ->
  (weight ws a <= weight ws b)%Z.
Proof.
  induction 1 as [|w ws H F IH]; intros a b W.
  - destruct a, b; simpl; lia.
  - destruct a as [|x a].
    + apply (weight_nonneg (w :: ws)). now constructor.
    + assert (T : within a (tl b)).
      { intros i X. specialize (W (S i) X). unfold has in *. destruct b; auto.
        simpl in W. destruct i; discriminate. }
      specialize (W 0). unfold has in W. simpl in W. specialize (IH _ _ T).
      destruct b as [|y b]; simpl in *.
      * destruct x; [discriminate (W eq_refl)|]. destruct ws; simpl in *; lia.
      * destruct x, y; lia.
Qed.

Lemma weight_union ws : forall a b, disjoint a b ->
  weight ws (union a b) = (weight ws a + weight ws b)%Z.
Proof.
  induction ws as [|w ws IH]; intros [|x a] [|y b] D; simpl; try lia.
  rewrite IH.
  - specialize (D 0). unfold has in D. simpl in D.
    destruct x, y; simpl; lia || discriminate (D eq_refl).
  - intros i X. exact (D (S i) X).
Qed.

(** * Repairs *)

(** A repair has to break each cycle: all links of one of its moves go. *)
Lemma repair_breaks d gone ms : well_formed d -> check_cycle d ms = true ->
  consistent_without d gone -> exists b, In b (breaks d ms) /\ within b gone.
Proof.
  intros W C (t & T).
  destruct (existsb (fun b => subset b gone) (breaks d ms)) eqn:E.
  { apply existsb_exists in E. destruct E as (b & I & S). apply subset_spec in S. eauto. }
  destruct (cycle_impossible d ms t C). intros x y n s I S.
  destruct n as [k|].
  2: { apply (strength_sound d gone t x y None s W T); [discriminate|exact S]. }
  (* Some link that leads as strongly is not gone. *)
  assert (B : subset (as_strong d (x, y, Some k)) gone = false).
  { destruct (subset _ gone) eqn:X; [|reflexivity]. rewrite <- E. symmetry. apply existsb_exists.
    exists (as_strong d (x, y, Some k)). split; [|exact X].
    unfold breaks. apply in_flat_map. exists (x, y, Some k). simpl. auto. }
  assert (R : exists i, has (as_strong d (x, y, Some k)) i = true /\ has gone i = false).
  { revert B. generalize (as_strong d (x, y, Some k)), gone. clear.
    induction c as [|b c IH]; intros g H; [discriminate|].
    assert (D : subset (b :: c) g = (negb b || hd false g) && subset c (tl g)).
    { destruct g; simpl; [now rewrite orb_false_r|reflexivity]. }
    rewrite D in H. apply andb_false_iff in H. destruct H as [H|H].
    - apply orb_false_iff in H. destruct H as [X Y]. exists 0. unfold has. simpl.
      split; [now destruct b|]. destruct g; auto.
    - destruct (IH _ H) as (i & X & Y). exists (S i). split; [exact X|].
      unfold has in *. destruct g; [reflexivity|exact Y]. }
  destruct R as (i & A & G). unfold as_strong, has in A.
  destruct (nth_error (links d) i) as [l|] eqn:N.
  2: { rewrite nth_overflow in A; [discriminate|]. rewrite map_length.
       now apply nth_error_None. }
  assert (F : forall f, nth i (map f (links d)) false = f l).
  { intros f. rewrite (nth_indep _ false (f l)), map_nth, (nth_error_nth _ _ _ N); auto.
    rewrite map_length. apply nth_error_Some. congruence. }
  cbv zeta in A. rewrite F in A. cbn [fst snd] in A.
  destruct (touches _ l && touches _ l); [|discriminate]. rewrite S in A.
  assert (X := nth_error_In _ _ N). unfold well_formed in W. rewrite Forall_forall in W.
  destruct (W _ X) as [W1 W2].
  destruct (leads d l x y) as [s'|] eqn:L; [|destruct s; discriminate].
  pose proof (leads_sound d gone t l i x y s' T W1 W2 N G L) as O.
  destruct s, s'; simpl in *; try discriminate; try exact O. lia.
Qed.

Definition hits (gone : choice) (cs : list (list choice)) : Prop :=
  Forall (fun bs => exists b, In b bs /\ within b gone) cs.

Lemma min_fold ws : forall w x, In x (w :: ws) -> (fold_left Z.min ws w <= x)%Z.
Proof.
  assert (L : forall ws w, (fold_left Z.min ws w <= w)%Z).
  { induction ws0 as [|v ws0 IH]; intros w; simpl; [lia|]. specialize (IH (Z.min w v)). lia. }
  induction ws as [|v ws IH]; intros w x [->|I]; simpl.
  - lia.
  - destruct I.
  - specialize (L ws (Z.min x v)). lia.
  - destruct I as [->|I].
    + specialize (L ws (Z.min w x)). lia.
    + apply IH. now right.
Qed.

Lemma least_within ws gone bs b : In b bs -> (least ws gone bs <= weight ws (minus b gone))%Z.
Proof.
  intros I. unfold least.
  assert (J : In (weight ws (minus b gone)) (map (fun b => weight ws (minus b gone)) bs)).
  { apply in_map_iff. eauto. }
  destruct (map _ bs) as [|w rest]; [destruct J|]. now apply min_fold.
Qed.

Lemma has_unions bs b i : In b bs -> has b i = true -> has (fold_right union [] bs) i = true.
Proof.
  induction bs as [|c bs IH]; simpl; [tauto|]. rewrite has_union.
  intros [->|I] H; [now rewrite H|]. rewrite (IH I H). apply orb_true_r.
Qed.

Definition both (a b : choice) : choice := minus a (minus a b).

Lemma has_both a b i : has (both a b) i = has a i && has b i.
Proof. unfold both. rewrite !has_minus. destruct (has a i), (has b i); reflexivity. Qed.

(** What is estimated is not more than what a choice that breaks all cycles weighs, beyond the links
    that are gone and those that are counted already. *)
Lemma estimate_least ws gone whole : Forall (Z.le 0) ws -> within gone whole ->
  forall cs used, hits whole cs -> disjoint used gone ->
  (weight ws gone + weight ws (both whole used) + fst (estimate ws gone used cs)
    <= weight ws whole)%Z.
Proof.
  intros P G. induction cs as [|bs cs IH]; intros used H U; cbn [estimate fst].
  - rewrite <- weight_union.
    + assert (weight ws (union gone (both whole used)) <= weight ws whole)%Z; [|lia].
      apply weight_within; [exact P|]. intros i. rewrite has_union, has_both.
      intros X. apply orb_true_iff in X. destruct X as [X|X]; [now apply G|].
      now apply andb_true_iff in X.
    + intros i X. rewrite has_both. destruct (has used i) eqn:Y; [|apply andb_false_r].
      rewrite (U i Y) in X. discriminate.
  - inversion H as [|? ? (b & I & B) H']; subst.
    destruct (existsb _ bs); [now apply IH|].
    set (every := minus (fold_right union [] bs) gone).
    destruct (LinkChecker.apart used every) eqn:A; cbn [fst]; [|now apply IH].
    apply apart_spec in A.
    assert (U' : disjoint (union used every) gone).
    { intros i. rewrite has_union. unfold every. rewrite has_minus. intros X.
      apply orb_true_iff in X. destruct X as [X|X]; [now apply U|].
      apply andb_true_iff in X. destruct X as [_ X]. now apply negb_true_iff in X. }
    specialize (IH _ H' U').
    assert (E : weight ws (both whole (union used every)) =
      (weight ws (both whole used) + weight ws (both whole every))%Z).
    { rewrite <- weight_union.
      - apply Z.le_antisymm; (apply weight_within; [exact P|]; intros i;
          rewrite ?has_union, ?has_both, ?has_union; destruct (has whole i), (has used i),
          (has every i); simpl; auto).
      - intros i. rewrite !has_both. intros X. apply andb_true_iff in X. destruct X as [_ X].
        rewrite (A i X). apply andb_false_r. }
    assert (L : (least ws gone bs <= weight ws (both whole every))%Z).
    { apply Z.le_trans with (weight ws (minus b gone)); [now apply least_within|].
      apply weight_within; [exact P|]. intros i. rewrite has_minus, has_both. intros X.
      apply andb_true_iff in X. destruct X as [X Y]. rewrite (B i X). unfold every.
      rewrite has_minus, (has_unions bs b i I X), Y. reflexivity. }
    lia.
Qed.

Lemma estimate_first ws gone : forall cs used bs, snd (estimate ws gone used cs) = Some bs ->
  In bs cs.
Proof.
  induction cs as [|cs0 cs IH]; intros used bs; cbn [estimate snd]; [discriminate|].
  destruct (existsb _ cs0); [right; eauto|].
  destruct (LinkChecker.apart used _); cbn [snd]; intros [= <-]; now left.
Qed.

Lemma unbreakable_least ws cs bound whole : Forall (Z.le 0) ws -> hits whole cs ->
  forall k gone, within gone whole -> unbreakable k ws cs bound gone = true ->
  (bound <= weight ws whole)%Z.
Proof.
  intros P H. induction k as [|k IH]; intros gone G; cbn [unbreakable];
    destruct (estimate ws gone [] cs) as [more first] eqn:E; intros X;
    assert (L : (weight ws gone + more <= weight ws whole)%Z)
      by (pose proof (estimate_least ws gone whole P G cs [] H) as Y;
          rewrite E in Y; cbn [fst] in Y;
          assert (D : disjoint [] gone) by (intros i Z; rewrite has_nil in Z; discriminate);
          specialize (Y D);
          pose proof (weight_nonneg ws P (both whole [])); lia);
    apply orb_true_iff in X; destruct X as [X|X]; try lia; try discriminate.
  destruct first as [bs|]; [|discriminate].
  assert (I : In bs cs) by (apply (estimate_first ws gone cs []); now rewrite E).
  unfold hits in H. rewrite Forall_forall in H. destruct (H _ I) as (b & B & W).
  rewrite forallb_forall in X. apply (IH (union gone b)); [|now apply X].
  intros i. rewrite has_union. intros Y. apply orb_true_iff in Y. destruct Y; auto.
Qed.

(** An accepted repair changes links of its cost, and none changes links of less. *)
Theorem check_repair_sound d ws changed t cs cost :
  check_repair d ws changed t cs cost = true -> minimal_repair d ws changed cost.
Proof.
  intros H. unfold check_repair in H. rewrite !andb_true_iff in H.
  destruct H as [[[[[W L] C] P] K] U]. apply formed_sound in W. repeat split.
  - now apply check_line_consistent in L.
  - now apply Z.eqb_eq.
  - intros gone G. rewrite forallb_forall in P, K.
    apply (unbreakable_least ws (map (breaks d) cs) cost gone) with (length cs) [].
    + apply Forall_forall. intros w I. apply Z.leb_le. auto.
    + apply Forall_forall. intros bs I. apply in_map_iff in I. destruct I as (ms & <- & I).
      apply repair_breaks; auto.
    + intros i X. rewrite has_nil in X. discriminate.
    + exact U.
Qed.
