(** Every verdict that holds has a certificate that the checker accepts, and every item has a
    verdict. *)
From Coq Require Import List Bool Arith ZArith Lia.
From Hopcheck Require Import Meaning Walks Checker Soundness Shortest.
Import ListNotations.

Arguments best : simpl never.

(** * Derivability as a test *)

Definition reach (i : item) (p q : point) : bool :=
  match best i (At_most p q) with Some _ => true | None => false end.

Lemma reach_derivable : forall i p q, reach i p q = true -> derivable i (At_most p q).
Proof.
  intros i p q. unfold reach. destruct (best i (At_most p q)) as [n |] eqn:e; [| discriminate].
  intros _. exists n. apply best_derives. assumption.
Qed.

Lemma derivable_reach : forall i p q, inside i p -> derivable i (At_most p q) ->
  reach i p q = true.
Proof.
  intros i p q within d. unfold reach. destruct (best i (At_most p q)) eqn:e; [reflexivity |].
  exfalso. exact (best_none i (At_most p q) within e d).
Qed.

Lemma reach_here : forall i p, inside i p -> reach i p p = true.
Proof. intros. apply derivable_reach; [assumption |]. exists 0. econstructor. apply Stay. Qed.

Lemma reach_on : forall i p q r, inside i p -> reach i p q = true -> derivable i (At_most q r) ->
  reach i p r = true.
Proof. intros. apply derivable_reach; eauto using transitive, reach_derivable. Qed.

(** * A timeline with an instant for each strongly connected component

    The instant of a point is the number whose binary digits say which points are not later. *)

Fixpoint code (A : nat -> bool) (k : nat) : Z :=
  match k with
  | 0 => 0
  | S j => (if A j then 2 ^ Z.of_nat j else 0) + code A j
  end.

Lemma code_bounds : forall A k, (0 <= code A k < 2 ^ Z.of_nat k)%Z.
Proof.
  induction k as [| k IH]; [simpl; lia |]. rewrite Nat2Z.inj_succ, Z.pow_succ_r by lia.
  cbn [code]. destruct (A k); lia.
Qed.

Lemma code_le : forall A B k, (forall j, j < k -> A j = true -> B j = true) ->
  (code A k <= code B k)%Z.
Proof.
  induction k as [| k IH]; intro sub; cbn [code]; [lia |].
  assert (code A k <= code B k)%Z by auto. pose proof (code_bounds A k).
  destruct (A k) eqn:a; [rewrite (sub k) by auto; lia |]. destruct (B k); lia.
Qed.

Lemma code_eq : forall A B k, code A k = code B k -> forall j, j < k -> A j = B j.
Proof.
  induction k as [| k IH]; intros same j less; [lia |]. cbn [code] in same.
  pose proof (code_bounds A k). pose proof (code_bounds B k).
  assert (A k = B k) as top by (destruct (A k), (B k); auto; lia). rewrite top in same.
  destruct (Nat.eq_dec j k) as [-> |]; [assumption |]. apply IH; [lia | lia].
Qed.

Definition rank (i : item) (p : point) : Z := code (fun q => reach i q p) (2 * size i).

Lemma rank_bounds : forall i p, (0 <= rank i p < 2 ^ Z.of_nat (2 * size i))%Z.
Proof. intros. apply code_bounds. Qed.

Lemma rank_up : forall i p q, derivable i (At_most p q) -> (rank i p <= rank i q)%Z.
Proof. intros. apply code_le. intros j less r. eapply reach_on; eassumption. Qed.

Lemma rank_same : forall i p q, inside i p -> inside i q -> rank i p = rank i q ->
  derivable i (At_most p q).
Proof.
  intros i p q ip iq same. apply reach_derivable.
  rewrite <- (code_eq _ _ _ same p ip). apply reach_here. assumption.
Qed.

Lemma nth_map_seq : forall (f : nat -> Z) n k d, k < n -> nth k (map f (seq 0 n)) d = f k.
Proof.
  intros. rewrite (nth_indep _ _ (f 0)) by (rewrite map_length, seq_length; assumption).
  rewrite map_nth, seq_nth by assumption. reflexivity.
Qed.

(** Instants of the points of the item. *)
Definition instants_of (i : item) (f : point -> Z) : instants := map f (seq 0 (2 * size i)).

Lemma at_instants : forall i f p, inside i p -> at_ (instants_of i f) p = f p.
Proof. intros. apply nth_map_seq. assumption. Qed.

Lemma monotone_instants : forall i f,
  (forall p s w q, In (p, s, w, q) (steps i) -> (f p <= f q)%Z) ->
  monotone_on i (instants_of i f) = true.
Proof.
  intros i f up. unfold monotone_on. apply andb_true_intro. split.
  - unfold instants_of. rewrite map_length, seq_length. apply Nat.eqb_refl.
  - apply forallb_forall. intros [[[p s] w] q] listed.
    destruct (listed_inside _ _ _ _ _ listed). rewrite !at_instants by assumption.
    apply Z.leb_le. eapply up. eassumption.
Qed.

Lemma tight_instants : forall i f v,
  (forall p w q, In (p, true, w, q) (steps i) -> f p = v -> f q = v -> False) ->
  tight_at i (instants_of i f) v = true.
Proof.
  intros i f v empty. apply forallb_forall. intros [[[p s] w] q] listed.
  destruct (listed_inside _ _ _ _ _ listed). rewrite !at_instants by assumption.
  destruct s, (Z.eqb_spec (f p) v), (Z.eqb_spec (f q) v); try reflexivity.
  exfalso. eapply empty; eassumption.
Qed.

Definition line (i : item) : instants := instants_of i (rank i).

Lemma line_monotone : forall i, monotone_on i (line i) = true.
Proof.
  intro i. apply monotone_instants. intros. apply rank_up. eapply of_step, steps_sound. eassumption.
Qed.

(** An instant of the line holds one component: it is tight unless a strict step is on a cycle. *)
Lemma line_tight : forall i x y, inside i x -> inside i y -> rank i x = rank i y ->
  tight_at i (line i) (rank i x) = true \/ derivable i (Less x y).
Proof.
  intros i x y ix iy same. destruct (tight_at i (line i) (rank i x)) eqn:tight; [auto |]. right.
  destruct (best i (Less x y)) as [n |] eqn:b; [exists n; apply best_derives; assumption |].
  exfalso. rewrite <- not_true_iff_false in tight. apply tight. apply tight_instants.
  intros p w q listed here there. destruct (listed_inside _ _ _ _ _ listed) as [ip iq].
  apply (best_none i (Less x y)); [assumption | assumption |].
  apply at_most_of_less with p; [apply rank_same; congruence |].
  apply less_of_at_most with q; [eapply of_strict_step, steps_sound; eassumption |].
  apply rank_same; congruence.
Qed.

(** Without a contradiction the line is a separation. *)
Lemma line_separates : forall i, ~ contradictory i -> separates i (line i) = true.
Proof.
  intros i none. apply forallb_forall. intros [p q] pair. apply examined_pairs_iff in pair.
  pose proof pair as (cp & cq & _). apply claimed_inside in cp, cq.
  unfold line. rewrite !at_instants by assumption.
  destruct (Z.eqb_spec (rank i p) (rank i q)) as [same |]; [| reflexivity]. simpl.
  destruct (line_tight i p q cp cq same) as [| there]; [assumption |].
  destruct (line_tight i q p cq cp (eq_sym same)) as [tight | back].
  - rewrite same. assumption.
  - exfalso. apply none. exists p, q. auto.
Qed.

(** The line is a model, or there is a cycle. *)
Lemma line_model : forall i,
  is_model i (line i) = true \/ exists p, inside i p /\ derivable i (Less p p).
Proof.
  intro i. unfold is_model.
  assert (forall l, (forall x, In x l -> In x (steps i)) ->
    forallb (fun '(p, s, _, q) => negb s || (at_ (line i) p <? at_ (line i) q)%Z) l = true \/
    exists p, inside i p /\ derivable i (Less p p)) as all.
  { induction l as [| [[[p s] w] q] l IH]; intro sub; [auto |].
    assert (In (p, s, w, q) (steps i)) as listed by (apply sub; left; reflexivity).
    destruct IH as [rest | found]; [intros; apply sub; right; assumption | | auto].
    cbn [forallb]. rewrite rest, andb_true_r. destruct s; [| auto].
    destruct (listed_inside _ _ _ _ _ listed) as [ip iq].
    unfold line. rewrite !at_instants by assumption. apply steps_sound in listed.
    pose proof (rank_up i p q (of_step _ _ _ _ _ listed)).
    destruct (Z.ltb_spec (rank i p) (rank i q)); [auto |]. right. exists p. split; [assumption |].
    apply less_of_at_most with q; [eapply of_strict_step; eassumption |].
    apply rank_same; [assumption .. | lia]. }
  apply all. auto.
Qed.

(** * A timeline that is a counterexample

    What is between [p] and [q] collapses to one instant, with all that comes after [p] above it
    and everything else below. If [p <= q] is not derivable, then nothing is between. *)

Definition apart (i : item) (p q x : point) : Z :=
  let top := (2 ^ Z.of_nat (2 * size i))%Z in
  if reach i p x then if reach i x q then top else (top + 1 + rank i x)%Z else rank i x.

Definition counterexample (i : item) (r : inequality) : instants :=
  instants_of i (apart i (lower r) (upper r)).

Lemma apart_up : forall i p q, inside i p ->
  forall a s w b, In (a, s, w, b) (steps i) -> (apart i p q a <= apart i p q b)%Z.
Proof.
  intros i p q ip a s w b listed. destruct (listed_inside _ _ _ _ _ listed) as [ia ib].
  apply steps_sound, of_step in listed as up. unfold apart.
  pose proof (rank_bounds i a). pose proof (rank_bounds i b). pose proof (rank_up i a b up).
  destruct (reach i p a) eqn:pa.
  - rewrite (reach_on i p a b ip pa up). destruct (reach i b q) eqn:bq.
    + rewrite (derivable_reach i a q ia); [lia |].
      eapply transitive; [eassumption | apply reach_derivable; assumption].
    + destruct (reach i a q); lia.
  - destruct (reach i p b), (reach i b q); lia.
Qed.

Lemma counterexample_monotone : forall i r, inside i (lower r) ->
  monotone_on i (counterexample i r) = true.
Proof. intros. apply monotone_instants. apply apart_up. assumption. Qed.

Lemma apart_top : forall i p q x, apart i p q x = (2 ^ Z.of_nat (2 * size i))%Z ->
  reach i p x = true /\ reach i x q = true.
Proof.
  intros i p q x. unfold apart. pose proof (rank_bounds i x).
  destruct (reach i p x), (reach i x q); auto; lia.
Qed.

Lemma counterexample_counters : forall i r, inside i (lower r) -> inside i (upper r) ->
  ~ derivable i r -> counters i r (counterexample i r) = true.
Proof.
  intros i r il iu open. set (p := lower r) in *. set (q := upper r) in *.
  assert (reach i p q = false -> (apart i p q q < apart i p q p)%Z) as below.
  { intro no. unfold apart. rewrite (reach_here i p il), no.
    pose proof (rank_bounds i p). pose proof (rank_bounds i q). lia. }
  unfold counterexample. fold p q. destruct r as [x y | x y]; simpl in p, q; subst p q; simpl.
  - rewrite !at_instants by assumption. destruct (reach i x y) eqn:xy.
    + assert (apart i x y x = (2 ^ Z.of_nat (2 * size i))%Z) as ax
        by (unfold apart; rewrite (reach_here i x il), xy; reflexivity).
      assert (apart i x y y = (2 ^ Z.of_nat (2 * size i))%Z) as ay
        by (unfold apart; rewrite xy, (reach_here i y iu); reflexivity).
      rewrite ax, ay, Z.eqb_refl. simpl. apply orb_true_intro. right.
      apply tight_instants. intros a w b listed ta tb. apply open.
      apply apart_top in ta as [xa _]. apply apart_top in tb as [_ by_].
      eapply at_most_of_less; [apply reach_derivable; eassumption |].
      eapply less_of_at_most; [eapply of_strict_step, steps_sound; eassumption |].
      apply reach_derivable. assumption.
    + apply orb_true_intro. left. apply Z.ltb_lt. auto.
  - rewrite !at_instants by assumption. apply Z.ltb_lt, below.
    destruct (reach i x y) eqn:xy; [| reflexivity]. exfalso. apply open, reach_derivable, xy.
Qed.

(** * Walks *)

Lemma next_exists : forall i p s w q, step i p s w q -> exists k, next i p k = Some (s, w, q).
Proof.
  intros i p s w q one. destruct one as [e | p q r | p q r | p q r | p q r | p q r | p q r].
  - exists None. unfold next, start, finish. rewrite Nat.even_mul. simpl Nat.even.
    rewrite <- Nat.add_1_r. reflexivity.
  - apply In_nth_error in r as [k r]. exists (Some k). unfold next, relation.
    rewrite r, Nat.eqb_refl. reflexivity.
  - apply In_nth_error in r as [k r]. exists (Some k). unfold next, relation.
    rewrite r, Nat.eqb_refl. reflexivity.
  - apply In_nth_error in r as [k r]. exists (Some k). unfold next, relation.
    rewrite r, Nat.eqb_refl. reflexivity.
  - apply In_nth_error in r as [k r]. exists (Some k). unfold next, relation. rewrite r.
    destruct (Nat.eqb_spec q p) as [-> |]; [reflexivity | rewrite Nat.eqb_refl; reflexivity].
  - apply In_nth_error in r as [k r]. exists (Some k). unfold next, relation.
    rewrite r, Nat.eqb_refl. reflexivity.
  - apply In_nth_error in r as [k r]. exists (Some k). unfold next, relation.
    rewrite r, Nat.eqb_refl. reflexivity.
Qed.

Lemma follow_exists : forall i p s n q, walk i p s n q ->
  exists w, follow i p w = Some (s, n, q).
Proof.
  induction 1 as [p | p s w q t n r one _ [rest more]]; [exists []; reflexivity |].
  apply next_exists in one as [k first]. exists (k :: rest). simpl.
  rewrite first, more. reflexivity.
Qed.

Lemma derivation_exists : forall i r n, derives i r n -> exists w, derivation i r w = Some n.
Proof.
  intros i r n [p m q w | p s m q w]; apply follow_exists in w as [l f]; exists (p, l);
    simpl; rewrite f, !Nat.eqb_refl; [reflexivity | rewrite orb_true_r; reflexivity].
Qed.

Lemma follow_join : forall i w' w p s m q t n r,
  follow i p w = Some (s, m, q) -> follow i q w' = Some (t, n, r) ->
  follow i p (w ++ w') = Some (s || t, m + n, r).
Proof.
  induction w as [| x rest IH]; simpl; intros p s m q t n r one two.
  - injection one; intros; subst. assumption.
  - destruct (next i p x) as [[[u k] y] |]; [| discriminate].
    destruct (follow i y rest) as [[[v j] z] |] eqn:more; [| discriminate].
    injection one; intros; subst. rewrite (IH _ _ _ _ _ _ _ more two).
    rewrite orb_assoc, Nat.add_assoc. reflexivity.
Qed.

Lemma passes_first : forall i p w, passes i p w p = true.
Proof. intros i p [| x w]; simpl; rewrite Nat.eqb_refl; reflexivity. Qed.

Lemma passes_join : forall i w' w p s n q, follow i p w = Some (s, n, q) ->
  passes i p (w ++ w') q = true.
Proof.
  induction w as [| x rest IH]; simpl; intros p s n q f.
  - injection f; intros; subst. apply passes_first.
  - destruct (next i p x) as [[[t m] y] |]; [| discriminate].
    destruct (follow i y rest) as [[[u k] r] |] eqn:more; [| discriminate].
    injection f; intros; subst. rewrite (IH _ _ _ _ more). apply orb_true_r.
Qed.

(** * Distances

    The shortest walks from a point, cut off at the hops that are to be proved. *)

Definition capped (h : nat) (n : option nat) : Z :=
  match n with Some n => Z.of_nat (Nat.min n h) | None => Z.of_nat h end.

Definition table (i : item) (h : nat) (p : point) : distances :=
  Distances p (map (fun q => capped h (far i (p, false) (q, false))) (seq 0 (2 * size i)))
              (map (fun q => capped h (far i (p, false) (q, true))) (seq 0 (2 * size i))).

Lemma table_at : forall i h p q s, inside i q ->
  at_state (table i h p) q s = capped h (far i (p, false) (q, s)).
Proof.
  intros i h p q s within. unfold at_state.
  destruct s; simpl loosely; simpl strictly; rewrite nth_map_seq by assumption; reflexivity.
Qed.

Lemma capped_step : forall h a b w, no_more b (plus a (Some w)) ->
  (capped h b <= capped h a + Z.of_nat w)%Z.
Proof. intros h [a |] [b |] w; simpl; lia. Qed.

Lemma table_potential : forall i h p, inside i p -> is_potential i (table i h p) = true.
Proof.
  intros i h p ip. unfold is_potential. repeat (apply andb_true_intro; split).
  - simpl. rewrite map_length, seq_length. apply Nat.eqb_refl.
  - simpl. rewrite map_length, seq_length. apply Nat.eqb_refl.
  - simpl origin. rewrite table_at by assumption. apply Z.leb_le.
    pose proof (way_here i (states i) (p, false)) as here. fold (far i) in here.
    destruct (far i (p, false) (p, false)) as [n |]; simpl in *; [lia | contradiction].
  - apply forallb_forall. intros [[[x s] w] y] listed.
    destruct (listed_inside _ _ _ _ _ listed) as [ix iy].
    apply forallb_forall. intros b _. rewrite !table_at by assumption. apply Z.leb_le, capped_step.
    replace (s || b) with (b || s) by apply orb_comm.
    pose proof (far_triangle i (p, false) x b (y, b || s) ix) as tri.
    pose proof (far_step i x s w y b listed) as edge. revert tri edge.
    generalize (far i (p, false) (y, b || s)) (far i (p, false) (x, b)) (far i (x, b) (y, b || s)).
    try_numbers.
Qed.

Lemma table_bound : forall i h r, inside i (upper r) ->
  bound (table i h (lower r)) r = capped h (best i r).
Proof.
  intros i h [p q | p q] iq; unfold best; simpl in *; rewrite !table_at by assumption;
    [reflexivity |].
  destruct (far i (p, false) (q, false)), (far i (p, false) (q, true)); simpl; lia.
Qed.

Definition tables (i : item) (h : nat) : list distances :=
  map (table i h) (claimed_points (claimed i)).

Lemma tables_potential : forall i h, forallb (is_potential i) (tables i h) = true.
Proof.
  intros. apply forallb_forall. intros d listed. apply in_map_iff in listed as (p & <- & c).
  apply table_potential, claimed_inside, c.
Qed.

Lemma tables_at_least : forall i h r, In (lower r) (claimed_points (claimed i)) ->
  In (upper r) (claimed_points (claimed i)) -> no_more (Some h) (best i r) ->
  at_least (tables i h) h r = true.
Proof.
  intros i h r cl cu far_. apply orb_true_intro. right.
  apply existsb_exists. exists (table i h (lower r)).
  split; [apply in_map; assumption |]. rewrite table_bound by (apply claimed_inside; assumption).
  simpl. rewrite Nat.eqb_refl. apply Z.leb_le. destruct (best i r); simpl in *; lia.
Qed.

Lemma tables_around : forall i h p q, examined (claimed i) p q ->
  no_more (Some h) (around i (p, q)) -> around_at_least (tables i h) h p q = true.
Proof.
  intros i h p q (cp & cq & _) far_. pose proof (claimed_inside i p cp) as ip.
  pose proof (claimed_inside i q cq) as iq. unfold around_at_least.
  destruct (Nat.eqb_spec p q) as [-> | _].
  - apply tables_at_least; try assumption. unfold around in far_.
    assert (no_more (best i (At_most q q)) (Some 0)) as zero
      by (apply best_least; [econstructor; apply Stay | assumption]).
    revert zero far_. generalize (best i (At_most q q)) (best i (Less q q)). try_numbers.
  - apply existsb_exists. exists (table i h p). split; [apply in_map; assumption |].
    apply existsb_exists. exists (table i h q). split; [apply in_map; assumption |].
    pose proof (table_bound i h (Less p q) iq) as b1.
    pose proof (table_bound i h (At_most p q) iq) as b2.
    pose proof (table_bound i h (Less q p) ip) as b3.
    pose proof (table_bound i h (At_most q p) ip) as b4.
    cbn [lower] in *. rewrite b1, b2, b3, b4. simpl origin. rewrite !Nat.eqb_refl. simpl andb.
    apply Z.leb_le. clear b1 b2 b3 b4. unfold around in far_. revert far_.
    generalize (best i (Less p q)) (best i (At_most p q)) (best i (Less q p)).
    generalize (best i (At_most q p)).
    intros [a |] [b |] [c |] [d |]; simpl; lia.
Qed.

(** * The certificate of an item *)

(** The line, which is a separation and a model where there is one, and a counterexample for each
    requirement and each opposite. *)
Definition lines (i : item) : list instants :=
  line i :: map (counterexample i)
    (requirements (claimed i) ++ map opposite (requirements (claimed i))).

Lemma needs_claimed : forall i r, In r (requirements (claimed i)) ->
  In (lower r) (claimed_points (claimed i)) /\ In (upper r) (claimed_points (claimed i)).
Proof. intros i r needed. apply requirement_examined in needed as (a & b & _). auto. Qed.

Lemma opposite_ends : forall r, lower (opposite r) = upper r /\ upper (opposite r) = lower r.
Proof. intros []; auto. Qed.

Lemma needs_inside : forall i r, In r (requirements (claimed i)) ->
  inside i (lower r) /\ inside i (upper r).
Proof. intros i r needed. apply needs_claimed in needed as [l u]. auto using claimed_inside. Qed.

Lemma lines_monotone : forall i, forallb (monotone_on i) (lines i) = true.
Proof.
  intro i. apply forallb_forall. intros t [<- | listed]; [apply line_monotone |].
  apply in_map_iff in listed as (r & <- & listed). apply counterexample_monotone.
  apply in_app_or in listed as [needed | opposed].
  - apply needs_inside. assumption.
  - apply in_map_iff in opposed as (x & <- & needed). destruct (opposite_ends x) as [-> _].
    apply needs_inside. assumption.
Qed.

Lemma lines_separate : forall i, ~ contradictory i -> existsb (separates i) (lines i) = true.
Proof. intros i none. simpl. rewrite line_separates by assumption. reflexivity. Qed.

Lemma lines_counter : forall i r, In r (requirements (claimed i)) -> ~ derivable i r ->
  existsb (counters i r) (lines i) = true.
Proof.
  intros i r needed open. apply existsb_exists. exists (counterexample i r). split.
  - right. apply in_map, in_or_app. auto.
  - destruct (needs_inside i r needed). apply counterexample_counters; assumption.
Qed.

Lemma lines_counter_opposite : forall i r, In r (requirements (claimed i)) ->
  ~ derivable i (opposite r) -> existsb (counters i (opposite r)) (lines i) = true.
Proof.
  intros i r needed open. apply existsb_exists. exists (counterexample i (opposite r)). split.
  - right. apply in_map, in_or_app. right. apply in_map. assumption.
  - destruct (needs_inside i r needed), (opposite_ends r) as [l u].
    apply counterexample_counters; [rewrite l | rewrite u |]; assumption.
Qed.

(** The cycle: none for a consistent premise, any otherwise. *)
Lemma some_cycle : forall i, exists b c, has_consistency i b /\
  forall w h, check_consistency i (Certificate w c (lines i) h) b = true.
Proof.
  intro i. destruct (line_model i) as [model | (p & _ & d)].
  - exists true, None. split.
    + constructor. eapply tight_consistent.
      * apply monotone_on_sound, line_monotone.
      * apply is_model_sound; [apply line_monotone | assumption].
    + intros. unfold check_consistency. simpl. rewrite model. reflexivity.
  - pose proof d as [n walk]. apply derivation_exists in walk as [[o w] here].
    assert (o = p) as ->.
    { unfold derivation in here. destruct (follow i o w) as [[[s m] q] |]; [| discriminate].
      simpl in here. destruct (Nat.eqb_spec o p); [assumption | discriminate]. }
    exists false, (Some (p, w)). split; [econstructor; eassumption |].
    intros. unfold check_consistency. cbn [cycle]. unfold closed_walk. cbn [fst]. rewrite here.
    reflexivity.
Qed.

(** Some inequality is not derivable, or shortest walks derive all: so many relations are enough,
    and one needs as many. *)
Lemma derive_all : forall i rs,
  (exists r, In r rs /\ best i r = None) \/
  exists ws n, all_derived i rs ws = Some n /\ (n = 0 \/ exists r, In r rs /\ best i r = Some n).
Proof.
  induction rs as [| r rs IH]; [right; exists [], 0; auto |].
  destruct IH as [(x & listed & open) | (ws & n & rest & most)];
    [left; exists x; simpl; auto |].
  destruct (best i r) as [m |] eqn:e; [right | left; exists r; simpl; auto].
  destruct (derivation_exists i r m (best_derives i r m e)) as [w d].
  exists (w :: ws), (Nat.max m n). simpl. rewrite d, rest. split; [reflexivity |].
  destruct (Nat.max_spec m n) as [[_ ->] | [_ ->]].
  - destruct most as [| (x & listed & ex)]; [auto | right; exists x; auto].
  - right. exists r. auto.
Qed.

Lemma no_loop : forall i,
  (forall x, In x (examined_pairs (claimed i)) -> around i x = None) -> ~ contradictory i.
Proof.
  intros i none bad. apply contradictory_iff_closed in bad as (n & p & q & s & t & a & b & x & there
    & back & strict & _).
  pose proof x as (cp & cq & _). apply claimed_inside in cp, cq. apply examined_pairs_iff in x.
  pose proof (around_least i p q s t a b cp cq there back strict) as some.
  rewrite (none _ x) in some. contradiction.
Qed.

(** A contradiction: the shortest closed walk, for the status and for the inconsistency. *)
Lemma certify_contradictory : forall i n p q, In (p, q) (examined_pairs (claimed i)) ->
  around i (p, q) = Some n ->
  (forall x, In x (examined_pairs (claimed i)) -> no_more (Some n) (around i x)) ->
  exists c, forallb (monotone_on i) (timelines c) = true /\
    forallb (is_potential i) (potentials c) = true /\
    check_status i c Contradictory (Some n) = true /\ check_consistency i c false = true.
Proof.
  intros i n p q x e least.
  assert (exists w, closed_walk i (p, w) = Some n /\ passes i p w q = true)
    as (w & closed & passed).
  { unfold around in e.
    assert (exists s t a b, walk i p s a q /\ walk i q t b p /\ s || t = true /\ n = a + b)
      as (s & t & a & b & there & back & strict & ->).
    { apply least_cases in e as [e | e]; apply plus_cases in e as (a & b & one & two & ->);
        apply best_derives in one, two; inversion one; inversion two; subst;
        do 4 eexists; repeat split; try eassumption; auto using orb_true_r. }
    apply follow_exists in there as [w1 f1]. apply follow_exists in back as [w2 f2].
    exists (w1 ++ w2). split; [| eapply passes_join; eassumption].
    unfold closed_walk, derivation. simpl. rewrite (follow_join _ _ _ _ _ _ _ _ _ _ f1 f2), strict.
    rewrite !Nat.eqb_refl. reflexivity. }
  exists (Certificate [] (Some (p, w)) (lines i) (tables i n)).
  split; [apply lines_monotone |]. split; [apply tables_potential |]. split.
  - unfold check_status. cbn [walks cycle potentials fst snd]. rewrite closed.
    cbn [same_number]. rewrite Nat.eqb_refl. cbn [andb]. apply andb_true_intro. split.
    + apply existsb_exists. exists (p, q). split; [assumption |].
      rewrite passes_first, passed. reflexivity.
    + apply forallb_forall. intros [u v] y. apply tables_around; [apply examined_pairs_iff, y |].
      apply least, y.
  - unfold check_consistency. cbn [cycle]. rewrite closed. reflexivity.
Qed.

(** Every item has a status, a consistency and hops, with a certificate that shows them. *)
Lemma certify : forall i, exists s b h c,
  forallb (monotone_on i) (timelines c) = true /\ forallb (is_potential i) (potentials c) = true /\
  check_status i c s h = true /\ check_consistency i c b = true.
Proof.
  intro i. destruct (minimum (around i) (examined_pairs (claimed i)))
    as [none | ([p q] & n & x & e & least)].
  2: { exists Contradictory, false, (Some n). eapply certify_contradictory; eassumption. }
  apply no_loop in none. destruct (some_cycle i) as (b & cycle & _ & shows).
  set (needs := requirements (claimed i)).
  destruct (derive_all i needs) as [(r & needed & open) | (ws & n & all & most)].
  - destruct (minimum (fun r => best i (opposite r)) needs)
      as [all | (x & n & nx & e & least)].
    + exists Unknown, b, None, (Certificate [] cycle (lines i) []).
      split; [apply lines_monotone |]. split; [reflexivity |]. split; [| apply shows].
      unfold check_status. cbn [timelines walks potentials]. fold needs.
      rewrite lines_separate by assumption. simpl andb.
      apply andb_true_intro. split.
      * apply existsb_exists. exists r. split; [assumption |]. apply lines_counter; [assumption |].
        apply best_none; [apply needs_inside |]; assumption.
      * apply forallb_forall. intros y ny. apply lines_counter_opposite; [assumption |].
        apply best_none; [| auto]. destruct (opposite_ends y) as [-> _].
        apply needs_inside. assumption.
    + pose proof (best_derives i _ _ e) as d. apply derivation_exists in d as [w d].
      exists Refuted, b, (Some n), (Certificate [w] cycle (lines i) (tables i n)).
      split; [apply lines_monotone |]. split; [apply tables_potential |]. split; [| apply shows].
      unfold check_status. cbn [timelines walks potentials]. fold needs.
      rewrite lines_separate by assumption. simpl andb. apply andb_true_intro. split.
      * apply existsb_exists. exists x. split; [assumption |]. rewrite d. apply Nat.eqb_refl.
      * apply forallb_forall. intros y ny. destruct (opposite_ends y) as [l u].
        destruct (needs_claimed i y ny). apply tables_at_least; [rewrite l | rewrite u |]; auto.
  - exists Entailed, b, (Some n), (Certificate ws cycle (lines i) (tables i n)).
    split; [apply lines_monotone |]. split; [apply tables_potential |]. split; [| apply shows].
    unfold check_status. cbn [timelines walks potentials]. fold needs.
    rewrite lines_separate by assumption. rewrite all. simpl same_number. rewrite Nat.eqb_refl.
    simpl andb. apply existsb_exists. destruct most as [-> | (r & needed & e)].
    { destruct (requirement_exists (claimed i)) as [r needed]. exists r. auto. }
    exists r. split; [assumption |]. destruct (needs_claimed i r needed).
    apply tables_at_least; [assumption .. |]. rewrite e. apply no_more_refl.
Qed.

Lemma same_label_refl : forall l, same_label l l = true.
Proof. intros []; reflexivity. Qed.

(** Every item has a certificate that the checker accepts. *)
Theorem certificate_complete : forall i o, exists v c, check i o v c = true.
Proof.
  intros i o. destruct (certify i) as (s & b & h & c & mono & pot & ok & cons).
  exists (Verdict s b (label_of o s b) h), c. unfold check. simpl.
  rewrite mono, pot, ok, cons. simpl. apply same_label_refl.
Qed.

(** A verdict holds iff it has a certificate. *)
Theorem check_iff : forall i o v, holds_of i o v <-> exists c, check i o v c = true.
Proof.
  intros i o v. split; [| intros [c ok]; eapply check_sound; eassumption].
  intro holds. destruct (certificate_complete i o) as (w & c & ok). exists c.
  replace v with w; [assumption |]. eapply verdict_unique; [eapply check_sound |]; eassumption.
Qed.

(** Every item has a label, with a certificate that shows it. *)
Corollary label_complete : forall i o, exists l, has_label i o l.
Proof.
  intros i o. destruct (certificate_complete i o) as (v & c & ok).
  exists (its_label v). eapply check_sound_label. eassumption.
Qed.
