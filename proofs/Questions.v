(** Questions over a temporal knowledge graph: which answers are right. This is what a reader has to
    believe.

    Entities, relations and times are integers; facts are those of Graphs.v. *)
From Coq Require Import List ZArith.
From Hopcheck Require Import Graphs.
Import ListNotations.
Open Scope Z_scope.

(** * Entities that are asked for *)

(** Whether a fact is read from its head to its tail, or back. *)
Inductive way := Forwards | Backwards.
Definition near (w : way) (f : fact) : Z := match w with Forwards => head f | Backwards => tail f end.
Definition far (w : way) (f : fact) : Z := match w with Forwards => tail f | Backwards => head f end.

(** A fact leads from one entity to another by a relation, at a time. *)
Definition leads (facts : list fact) (w : way) (a r b t : Z) : Prop :=
  exists f, In f facts /\ near w f = a /\ rel f = r /\ far w f = b /\ time f = t.

(** An entity and a relation; or these, and a relation to what is asked for. *)
Inductive question :=
  | One_hop (w : way) (named r t : Z)
  | Two_hop (w : way) (named r : Z) (v : way) (s t : Z).

(** All answers. Those of two hops are by a party between, and the three entities differ. *)
Definition is_answer (facts : list fact) (q : question) (x : Z) : Prop :=
  match q with
  | One_hop w a r t => leads facts w a r x t
  | Two_hop w a r v s t =>
      exists p, leads facts w a r p t /\ leads facts v p s x t /\ p <> a /\ x <> a /\ x <> p
  end.

(** * Yes or unknown *)

(** It is so at a time; or at no time. *)
Definition is_so (facts : list fact) (a r b t : Z) : Prop := In (Fact a r b t) facts.
Definition is_unknown (facts : list fact) (a r b : Z) : Prop := forall t, ~ In (Fact a r b t) facts.

(** * The most plausible of four choices *)

(** By an inference, an earlier fact that leads from [a] to [b] makes [implied] of [a] and [b] more
    plausible. [confidence] is in 1/10,000, and [bodies] how often its fact occurred. *)
Record inference := Inference {
  implied : Z; direction : way; by_relation : Z; confidence : Z; bodies : Z }.

(** An inference leads from a fact to a relation of two different entities. *)
Definition infers (i : inference) (f : fact) (a r b : Z) : Prop :=
  implied i = r /\ a <> b /\ near (direction i) f = a /\ rel f = by_relation i /\
  far (direction i) f = b.

(** What a fact of an age contributes by an inference; [decay] is in 1/100,000. *)
Definition contribution (decay : Z -> Z) (i : inference) (age : Z) : Z :=
  if ((age <=? 0) || (bodies i <? 2) || (confidence i <? 100))%bool then 0
  else confidence i * decay age / 100.

(** The most that a fact contributes, by any of some inferences, to a later one. *)
Definition contributes (decay : Z -> Z) (inferences : list inference) (a r b t : Z) (f : fact) (n : Z)
  : Prop :=
  (exists i, In i inferences /\ infers i f a r b /\ contribution decay i (t - time f) = n) /\
  (forall i, In i inferences -> infers i f a r b -> contribution decay i (t - time f) <= n).

(** One choice contributes more than all others, each of which contributes at most three fifths of
    it; each is a fact, none of the asked relation between the asked entities, and all do
    contribute. *)
Definition is_most_plausible (decay : Z -> Z) (inferences : list inference) (facts : list fact)
    (a r b t : Z) (best : fact) (others : list fact) : Prop :=
  exists n, 0 < n /\ contributes decay inferences a r b t best n /\
  (forall f, In f (best :: others) -> In f facts /\ ~ (head f = a /\ rel f = r /\ tail f = b)) /\
  (forall f, In f others -> exists m, contributes decay inferences a r b t f m /\ 0 < m /\
    5 * m <= 3 * n).
