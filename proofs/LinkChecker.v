(** The program that checks timelines, cycles and repairs of annotated links; it is extracted to OCaml.

    Nothing here has to be believed: LinkSoundness.v proves that what it accepts is true. *)
From Coq Require Import List Bool Arith ZArith.
From Hopcheck Require Import Links.
Import ListNotations.

(** * Timelines *)

Definition at_least (t : list Z) (p : nat) (strict : bool) (q : nat) : bool :=
  let x := nth p t 0%Z in let y := nth q t 0%Z in
  if strict then (x <? y)%Z else (x <=? y)%Z.

Definition link_holds (d : document) (t : list Z) (l : link) : bool :=
  forallb (fun '(p, s, q) => at_least t (end_of l p) s (end_of l q)) (meaning (by_allen d) (says l)).

Fixpoint links_hold (d : document) (t : list Z) (gone : choice) (ls : list link) : bool :=
  match ls with
  | [] => true
  | l :: ls => (hd false gone || link_holds d t l) && links_hold d t (tl gone) ls
  end.

Definition check_line (d : document) (gone : choice) (t : list Z) : bool :=
  forallb (fun n => at_least t (2 * n) true (2 * n + 1)) (seq 0 (nodes d)) &&
  links_hold d t gone (links d) &&
  forallb (fun '(p, x) => forallb (fun '(q, y) =>
    match Z.compare x y with
    | Lt => at_least t p true q
    | Eq => at_least t p false q && at_least t q false p
    | Gt => true
    end) (dated d)) (dated d).

(** * Cycles *)

(** The stronger of two ways from a point to another: one that is strict before one that is not. *)
Definition stronger (a b : option bool) : option bool :=
  match a, b with
  | Some true, _ => a
  | _, Some true => b
  | Some false, _ => a
  | None, _ => b
  end.

(** The strongest way from a point to another by at most so many inequalities. *)
Fixpoint way (k : nat) (es : list (nat * bool * nat)) (p q : nat) : option bool :=
  let here := if p =? q then Some false else None in
  match k with
  | O => here
  | S k =>
      fold_left (fun best '(x, s, y) =>
        if x =? p then
          stronger best (match way k es y q with Some s' => Some (s || s') | None => None end)
        else best) es here
  end.

Definition inequalities (d : document) (l : link) : list (nat * bool * nat) :=
  (0, true, 1) :: (2, true, 3) :: meaning (by_allen d) (says l).

(** Whether a link puts a point strictly before another; [None] if that one may be earlier. *)
Definition leads (d : document) (l : link) (p q : nat) : option bool :=
  fold_left (fun best '(x, y) =>
    if (end_of l x =? p) && (end_of l y =? q) then stronger best (way 3 (inequalities d l) x y)
    else best) (list_prod (seq 0 4) (seq 0 4)) None.

(** A step from a point to another: by a link, by its place, or by a duration or the calendar. *)
Definition move := (nat * nat * option nat)%type.

Definition date_of (d : document) (p : nat) : option Z :=
  option_map snd (find (fun x => fst x =? p) (dated d)).

Definition duration (d : document) (p q : nat) : bool :=
  existsb (fun n => (p =? 2 * n) && (q =? 2 * n + 1)) (seq 0 (nodes d)).

Definition by_date (d : document) (p q : nat) : option bool :=
  match date_of d p, date_of d q with
  | Some x, Some y => match Z.compare x y with Lt => Some true | Eq => Some false | Gt => None end
  | _, _ => None
  end.

Definition strength (d : document) (m : move) : option bool :=
  match m with
  | (p, q, Some n) =>
      match nth_error (links d) n with Some l => leads d l p q | None => None end
  | (p, q, None) => if duration d p q then Some true else by_date d p q
  end.

(** The moves lead from a point to another; whether one of them is strict. *)
Fixpoint walk (d : document) (p : nat) (ms : list move) (q : nat) : option bool :=
  match ms with
  | [] => if p =? q then Some false else None
  | (x, y, n) :: ms =>
      if x =? p then
        match strength d (x, y, n), walk d y ms q with
        | Some s, Some s' => Some (s || s')
        | _, _ => None
        end
      else None
  end.

Definition check_cycle (d : document) (ms : list move) : bool :=
  match ms with
  | (p, _, _) :: _ => match walk d p ms p with Some s => s | None => false end
  | [] => false
  end.

(** * Repairs *)

Fixpoint union (a b : choice) : choice :=
  match a, b with
  | [], _ => b
  | _, [] => a
  | x :: a, y :: b => (x || y) :: union a b
  end.

Fixpoint minus (a b : choice) : choice :=
  match a, b with
  | [], _ => []
  | _, [] => a
  | x :: a, y :: b => (x && negb y) :: minus a b
  end.

Fixpoint subset (a b : choice) : bool :=
  match a, b with
  | [], _ => true
  | x :: a, [] => negb x && subset a []
  | x :: a, y :: b => (negb x || y) && subset a b
  end.

Fixpoint apart (a b : choice) : bool :=
  match a, b with
  | x :: a, y :: b => negb (x && y) && apart a b
  | _, _ => true
  end.

(** Whether a node is an end of a link. *)
Definition touches (n : nat) (l : link) : bool := (left_node l =? n) || (right_node l =? n).

(** The links that lead as strongly from a point to another as one does: all of them have to go. Most
    links are of other nodes, which is seen fast. *)
Definition as_strong (d : document) (m : move) : choice :=
  let needed := strength d m in
  let from := Nat.div2 (fst (fst m)) in
  let to := Nat.div2 (snd (fst m)) in
  map (fun l =>
    if touches from l && touches to l then
      match needed, leads d l (fst (fst m)) (snd (fst m)) with
      | Some true, Some s => s
      | Some false, Some _ => true
      | _, _ => false
      end
    else false) (links d).

(** What breaks a cycle: the links of one of its moves. *)
Definition breaks (d : document) (ms : list move) : list choice :=
  flat_map (fun m => match m with (_, _, Some _) => [as_strong d m] | _ => [] end) ms.

Definition least (ws : list Z) (gone : choice) (bs : list choice) : Z :=
  match map (fun b => weight ws (minus b gone)) bs with
  | [] => 0%Z
  | w :: rest => fold_left Z.min rest w
  end.

(** What breaking the cycles costs at least if some links are gone, as cycles without a common link
    are left; with the first cycle that is not broken. *)
Fixpoint estimate (ws : list Z) (gone used : choice) (cs : list (list choice))
  : Z * option (list choice) :=
  match cs with
  | [] => (0%Z, None)
  | bs :: cs =>
      if existsb (fun b => subset b gone) bs then estimate ws gone used cs
      else
        let every := minus (fold_right union [] bs) gone in
        if apart used every then
          (Z.add (least ws gone bs) (fst (estimate ws gone (union used every) cs)), Some bs)
        else (fst (estimate ws gone used cs), Some bs)
  end.

Fixpoint unbreakable (k : nat) (ws : list Z) (cs : list (list choice)) (bound : Z) (gone : choice)
  : bool :=
  let (more, first) := estimate ws gone [] cs in
  (bound <=? weight ws gone + more)%Z ||
  match k, first with
  | S k, Some bs => forallb (fun b => unbreakable k ws cs bound (union gone b)) bs
  | _, _ => false
  end.

(** * Verdicts *)

(** All links are between nodes of the document. *)
Definition formed (d : document) : bool :=
  forallb (fun l => (left_node l <? nodes d) && (right_node l <? nodes d)) (links d).

Definition check_consistent (d : document) (t : list Z) : bool := check_line d [] t.

Definition check_inconsistent (d : document) (ms : list move) : bool :=
  formed d && check_cycle d ms.

(** The document is the one before the repair, whose timeline is that of the rest. *)
Definition check_repair (d : document) (ws : list Z) (changed : choice) (t : list Z)
    (cs : list (list move)) (cost : Z) : bool :=
  formed d &&
  check_line d changed t &&
  (weight ws changed =? cost)%Z &&
  forallb (Z.leb 0) ws &&
  forallb (check_cycle d) cs &&
  unbreakable (length cs) ws (map (breaks d) cs) cost [].
