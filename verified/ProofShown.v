(** Why a section that shows a solution is right. *)

Require Import List Bool String NArith PeanoNat Lia FMapPositive.
Require Import Board Moves Text Game Format Same Nodes Checker GameFacts.
Import ListNotations.

Section Goal.
Variable g : goal.

(** Each position of the memory is won in its length. *)
Definition shown_known (known : memory) : Prop :=
  forall l p n, PositiveMap.find l known = Some (p, n) -> won g n p.

Lemma shown_known_store : forall known line p n,
  shown_known known -> won g n p -> shown_known (store known line p n).
Proof.
  intros known [l |] p n K W; simpl; [| exact K].
  intros l' p' n' F; destruct (Pos.eq_dec l' l) as [-> | differ].
  - rewrite PositiveMap.gss in F; injection F as <- <-; exact W.
  - rewrite PositiveMap.gso in F by exact differ; exact (K l' p' n' F).
Qed.

Lemma shown_known_empty : shown_known (PositiveMap.empty _).
Proof. intros l p n F; rewrite PositiveMap.gempty in F; discriminate. Qed.

(** ** One line *)

(** The opened positions are won in fewer than [n] moves. *)
Definition all_won (n : nat) (opened : list position) : Prop :=
  forall q, In q opened -> exists k, k < n /\ won g k q.

Lemma attack_move_spec : forall p n m,
  attack_move g p n = Some m -> attacker_must_end g p = false /\ In m (legal_moves p).
Proof.
  intros p n m; unfold attack_move; destruct (attacker_must_end g p); [discriminate |].
  intros F; split; [reflexivity | exact (find_move_legal p n m F)].
Qed.

Lemma answer_one_ok : forall x a length opened n,
  answer_one g x a = Some (length, opened) -> length <= n -> all_won n opened ->
  stands_after_defence g x = true \/ solvable g n x.
Proof.
  intros x a length opened n; destruct a as [| name | name]; simpl.
  - destruct (stands_after_defence g x) eqn:E; [auto | discriminate].
  - destruct (attack_move g x name) as [m |] eqn:A; [| discriminate].
    apply attack_move_spec in A; destruct A as [duty legal].
    destruct (stands_after_attack g (play x m)) eqn:E; [| discriminate].
    intros eq; injection eq as <- <-; intros le _; right.
    destruct n as [| n]; [lia |]; simpl; split; [exact duty |]; exists m; split; [exact legal | left; exact E].
  - destruct (attack_move g x name) as [m |] eqn:A; [| discriminate].
    apply attack_move_spec in A; destruct A as [duty legal].
    intros eq; injection eq as <- <-; intros _ W; right.
    destruct (W (play x m) (or_introl eq_refl)) as [k [lt w]].
    destruct n as [| n]; [lia |]; simpl; split; [exact duty |]; exists m; split; [exact legal |].
    apply (won_mono g k); [lia | exact w].
Qed.

Lemma answer_all_ok : forall p ds tokens length opened n,
  answer_all g p ds tokens = Some (length, opened) -> length <= n -> all_won n opened ->
  forall d, In d ds -> stands_after_defence g (play p d) = true \/ solvable g n (play p d).
Proof.
  intros p ds; induction ds as [| d ds IH]; intros tokens length opened n; [intros _ _ _ e [] |].
  destruct tokens as [| [a count] rest]; [discriminate |]; cbn [answer_all].
  destruct (answer_one g (play p d) a) as [[l1 o1] |] eqn:One; [| discriminate].
  destruct (answer_all g p ds _) as [[l2 o2] |] eqn:All; [| discriminate].
  intros eq; injection eq as <- <-; intros le W e [<- | E].
  - apply (answer_one_ok _ _ _ _ n One); [lia | intros q Q; apply W; apply in_or_app; auto].
  - apply (IH _ _ _ n All); [lia | intros q Q; apply W; apply in_or_app; auto | exact E].
Qed.

(** If all positions that a line opens are won in fewer than [n] moves, its position is won in [n]. *)
Lemma solution_node_ok : forall p tokens length opened n,
  solution_node g p tokens = Some (length, opened) -> length <= n -> all_won n opened -> won g n p.
Proof.
  intros p tokens length opened n; unfold solution_node.
  destruct (defences g p) as [| d ds] eqn:D; [discriminate |].
  intros All le W; right; rewrite D; split; [exists d; left; reflexivity |].
  intros e E; exact (answer_all_ok _ _ _ _ _ n All le W e E).
Qed.

(** ** The stack

    [shown_linked root stack q]: if [q], the position on which the stack waits, is won in some number of moves, then the
    position of the topmost frame follows from it and from what else it waits for; and so on down to [root]. *)

Inductive shown_linked (root : position) : list shown_frame -> position -> Prop :=
| shown_bottom : shown_linked root [] root
| shown_on : forall f below q,
    (forall n, shown_length f <= n -> all_won n (q :: shown_waiting f) -> won g n (shown_position f)) ->
    shown_linked root below (shown_position f) ->
    shown_linked root (f :: below) q.

Definition shown_next_ok (root : position) (next : shown_next) : Prop :=
  match next with
  | ShownDone known length => shown_known known /\ won g length root
  | ShownNext known stack q => shown_known known /\ shown_linked root stack q
  end.

Lemma close_shown_ok : forall root stack known length q,
  shown_linked root stack q -> shown_known known -> won g length q ->
  shown_next_ok root (close_shown known stack length).
Proof.
  intros root stack; induction stack as [| f below IH]; intros known length q linked K W; simpl.
  - inversion linked; subst; auto.
  - inversion linked as [| f' below' q' frame rest]; subst.
    destruct (shown_waiting f) as [| next waiting] eqn:waits.
    + assert (won g (Nat.max (shown_length f) (S length)) (shown_position f)) as done.
      { apply frame; [lia |]; intros x [<- | []]; exists length; split; [lia | exact W]. }
      apply (IH _ _ (shown_position f)); auto using shown_known_store.
    + simpl; split; [exact K |]; constructor; cbn [shown_position shown_length shown_waiting]; [| exact rest].
      intros n le all; apply frame; [lia |].
      intros x [<- | X]; [exists length; split; [lia | exact W] | apply all; exact X].
Qed.

End Goal.
