(** Walks, and why an item has at most one status, label and number of hops. *)
From Coq Require Import List Bool Arith Lia.
From Hopcheck Require Import Meaning.
Import ListNotations.

Lemma single : forall i p s w q, step i p s w q -> walk i p s w q.
Proof.
  intros. rewrite <- (orb_false_r s), <- (Nat.add_0_r w). eapply Go; [eassumption | apply Stay].
Qed.

(** Two walks that join make a walk. *)
Lemma join : forall i p s m q, walk i p s m q ->
  forall t n r, walk i q t n r -> walk i p (s || t) (m + n) r.
Proof.
  induction 1 as [| p s w q s' m r' first _ IH]; intros; simpl; auto.
  rewrite <- orb_assoc, <- Nat.add_assoc. eapply Go; eauto.
Qed.

Lemma less_of_at_most : forall i p q r,
  derivable i (Less p q) -> derivable i (At_most q r) -> derivable i (Less p r).
Proof.
  intros i p q r [m a] [n b]. inversion a; inversion b; subst.
  exists (m + n). constructor. change true with (true || s). eapply join; eauto.
Qed.

Lemma at_most_of_less : forall i p q r,
  derivable i (At_most p q) -> derivable i (Less q r) -> derivable i (Less p r).
Proof.
  intros i p q r [m a] [n b]. inversion a; inversion b; subst.
  exists (m + n). constructor. rewrite <- (orb_true_r s). eapply join; eauto.
Qed.

Lemma weaken : forall i p q, derivable i (Less p q) -> derivable i (At_most p q).
Proof. intros i p q [n d]. inversion d; subst. exists n. econstructor; eassumption. Qed.

Lemma transitive : forall i p q r,
  derivable i (At_most p q) -> derivable i (At_most q r) -> derivable i (At_most p r).
Proof.
  intros i p q r [m a] [n b]. inversion a; inversion b; subst.
  exists (m + n). econstructor. eapply join; eauto.
Qed.

Lemma of_step : forall i p s w q, step i p s w q -> derivable i (At_most p q).
Proof. intros. exists w. econstructor. eapply single. eassumption. Qed.

Lemma of_strict_step : forall i p w q, step i p true w q -> derivable i (Less p q).
Proof. intros. exists w. constructor. apply single. assumption. Qed.

(** Both orders of two points are derivable iff a closed strict walk goes through both. *)
Lemma contradictory_iff_closed : forall i, contradictory i <-> exists n, closed_through i n.
Proof.
  split.
  - intros (p & q & x & [m a] & [n b]). inversion a; inversion b; subst.
    exists (m + n), p, q, true, true, m, n. auto.
  - intros (n & p & q & s & t & a & b & x & there & back & strict & _).
    assert (derivable i (At_most p q)) by (exists a; econstructor; eassumption).
    assert (derivable i (At_most q p)) by (exists b; econstructor; eassumption).
    exists p, q. split; [assumption |]. destruct s.
    + assert (derivable i (Less p q)) by (exists a; constructor; assumption).
      split; [assumption |]. eapply at_most_of_less, less_of_at_most; eassumption.
    + destruct t; [| discriminate].
      assert (derivable i (Less q p)) by (exists b; constructor; assumption).
      split; [| assumption]. eapply at_most_of_less, less_of_at_most; eassumption.
Qed.

(** A claim has a requirement. *)
Lemma requirement_exists : forall c, exists r, In r (requirements c).
Proof.
  destruct c as [a b | a b | a b | a [] b | p [] q]; simpl; eexists; left; reflexivity.
Qed.

(** The points of a requirement are examined for a contradiction. *)
Lemma requirement_examined : forall c r,
  In r (requirements c) -> examined c (lower r) (upper r).
Proof.
  unfold examined, start, finish.
  destruct c as [a b | a b | a b | a [] b | p [] q]; simpl; intros r inside;
    repeat (destruct inside as [<- | inside]; [| try contradiction]); simpl;
    (split; [tauto | split; [tauto |]]);
    match goal with |- _ \/ (?a =? ?b) = true => destruct (Nat.eqb_spec a b) end;
    auto; left; unfold start, finish; lia.
Qed.

(** A requirement and its opposite are both derivable only under a contradiction. *)
Lemma both_contradictory : forall i r, In r (requirements (claimed i)) ->
  derivable i r -> derivable i (opposite r) -> contradictory i.
Proof.
  intros i r inside yes no. apply requirement_examined in inside.
  destruct r as [p q | p q]; simpl in *; exists p, q; split; auto.
  - split; auto. eapply at_most_of_less, less_of_at_most; eassumption.
  - split; auto. eapply at_most_of_less, less_of_at_most; eassumption.
Qed.

Lemma status_unique : forall i s t, has_status i s -> has_status i t -> s = t.
Proof.
  intros i s t a b.
  destruct a as [na all | r na inside no | r na inside yes none | ca];
  destruct b as [nb all' | r' nb inside' no' | r' nb inside' yes' none' | cb];
    auto; exfalso;
    first [ contradiction
          | exact (na (both_contradictory _ _ inside' (all _ inside') no'))
          | exact (na (both_contradictory _ _ inside (all' _ inside) no))
          | exact (none _ inside' no') | exact (none' _ inside no)
          | exact (yes (all' _ inside)) | exact (yes' (all _ inside')) ].
Qed.

Lemma consistency_unique : forall i c d, has_consistency i c -> has_consistency i d -> c = d.
Proof. intros i c d [a | p a] [b | q b]; auto; exfalso; [apply (a q) | apply (b p)]; auto. Qed.

(** An item has at most one label under a policy. *)
Theorem label_unique : forall i o l k, has_label i o l -> has_label i o k -> l = k.
Proof.
  intros i o l k [s c hs hc] [t d ht hd].
  rewrite (status_unique i s t hs ht), (consistency_unique i c d hc hd). reflexivity.
Qed.

Lemma fewest_unique : forall P m n, fewest P m -> fewest P n -> m = n.
Proof. intros P m n [a least] [b least']. specialize (least n b). specialize (least' m a). lia. Qed.

Lemma hops_unique : forall i s m n, has_hops i s m -> has_hops i s n -> m = n.
Proof.
  intros i s m n a b. destruct a as [m r every inside [d least] | m f | | m f];
    inversion b as [n' r' every' inside' [d' least'] | n' f' | | n' f']; subst;
    try reflexivity; try (f_equal; eapply fewest_unique; eassumption).
  destruct (every r' inside') as (x & ? & dx). destruct (every' r inside) as (y & ? & dy).
  specialize (least y dy). specialize (least' x dx). f_equal. lia.
Qed.

(** An item has at most one verdict under a policy. *)
Theorem verdict_unique : forall i o v w, holds_of i o v -> holds_of i o w -> v = w.
Proof.
  intros i o [s c l h] [s' c' l' h'] [a b d e] [a' b' d' e']; simpl in *.
  rewrite (status_unique _ _ _ a a') in *. rewrite (consistency_unique _ _ _ b b').
  rewrite (label_unique _ _ _ _ d d'). rewrite (hops_unique _ _ _ _ e e'). reflexivity.
Qed.
