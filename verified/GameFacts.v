(** Facts about games: more moves never hurt the attacker, and positions that are the same have the same games. *)

Require Import List Bool PeanoNat Lia.
Require Import Board Moves Text Game Format Same.
Import ListNotations.

Section Goal.
Variable g : goal.

(** ** More moves *)

Lemma holds_after_mono : forall (A B : position -> Prop) p,
  (forall q, A q -> B q) -> holds_after g A p -> holds_after g B p.
Proof.
  intros A B p weaker [now | [some every]]; [left; exact now | right; split; [exact some |]].
  intros d D; destruct (every d D) as [H | H]; auto.
Qed.

Lemma solvable_mono : forall n m p, n <= m -> solvable g n p -> solvable g m p.
Proof.
  induction n as [| n IH]; simpl; [contradiction |].
  intros [| m] p le; [lia |]; intros [duty [a [legal won_after]]].
  split; [exact duty |]; exists a; split; [exact legal |].
  apply (holds_after_mono (solvable g n)); [| exact won_after].
  intros q; apply IH; lia.
Qed.

Lemma won_mono : forall n m p, n <= m -> won g n p -> won g m p.
Proof. intros n m p le; apply holds_after_mono; intros q; apply solvable_mono; exact le. Qed.

Lemma solvable_key : forall n p, solvable g n p <-> exists m, key g n p m.
Proof.
  intros [| n] p; simpl; [split; [contradiction | intros [_ H]; exact H] |].
  split.
  - intros [duty [m [legal w]]]; exists m; auto.
  - intros [m [duty [legal w]]]; split; [exact duty |]; exists m; auto.
Qed.

Lemma key_mono : forall n m p a, n <= m -> key g n p a -> key g m p a.
Proof.
  intros [| n] [| m] p a le; simpl; try contradiction; [lia |].
  intros [duty [legal w]]; repeat split; auto; apply (won_mono n); [lia | exact w].
Qed.

(** ** What the tests of the rules mean *)

Lemma can_end_spec : forall p, can_end g p = true <-> exists m, In m (legal_moves p) /\ ends g p m = true.
Proof.
  intros p; unfold can_end; rewrite existsb_exists; split; intros [m H]; exists m.
  - destruct H as [I E]; apply andb_true_iff in E; rewrite legal_moves_spec; tauto.
  - destruct H as [I E]; rewrite legal_moves_spec in I; split; [tauto |]; apply andb_true_iff; tauto.
Qed.

Lemma in_defences : forall p m, In m (defences g p) <-> In m (legal_moves p) /\ is_defence g p m = true.
Proof. intros p m; unfold defences, is_defence; rewrite filter_In; tauto. Qed.

Lemma stands_after_attack_end : forall p, stands_after_attack g p = true -> has_move p = false.
Proof.
  intros p; unfold stands_after_attack, checkmate, stalemate.
  destruct g; intros H; try discriminate; apply andb_true_iff in H; destruct H as [_ H];
    apply negb_true_iff; exact H.
Qed.

(** Without a move there is no defence. *)
Lemma no_move_not_won : forall A p,
  has_move p = false -> stands_after_attack g p = false -> ~ holds_after g A p.
Proof.
  intros A p none no [now | [[d D] _]]; [congruence |].
  apply in_defences in D; destruct D as [legal _].
  apply (proj1 (no_move_spec p) none d legal).
Qed.

Lemma no_move_not_solvable : forall n p, has_move p = false -> ~ solvable g n p.
Proof.
  intros [| n] p none; simpl; [tauto |].
  intros [_ [m [legal _]]]; apply (proj1 (no_move_spec p) none m legal).
Qed.

(** One reply is enough: the goal does not stand after it, and the attacker does not reach it from there. *)
Lemma reply_refutes : forall A p d,
  In d (defences g p) -> stands_after_defence g (play p d) = false -> ~ A (play p d) -> ~ holds_after g A p.
Proof.
  intros A p d D no not_A [now | [_ every]].
  - apply stands_after_attack_end in now.
    apply in_defences in D; destruct D as [legal _]; apply (proj1 (no_move_spec p) now d legal).
  - destruct (every d D) as [H | H]; [congruence | contradiction].
Qed.

Lemma find_move_legal : forall p n m, find_move p n = Some m -> In m (legal_moves p).
Proof.
  intros p [from to r] m; unfold find_move.
  destruct (find _ _) as [found |] eqn:F; [| discriminate].
  destruct (is_safe p found) eqn:S; [| discriminate].
  intros E; injection E as <-.
  apply find_some in F; destruct F as [I _].
  apply legal_moves_spec; split; [| exact S].
  unfold pseudo_moves; apply in_flat_map; exists from; split; [apply squares_all | exact I].
Qed.

(** ** Positions that are the same *)

Lemma alike_checkmate : forall p q, alike p q -> checkmate p = checkmate q.
Proof.
  intros p q same; unfold checkmate; rewrite (alike_has_move p q same).
  destruct same as [-> [-> _]]; reflexivity.
Qed.

Lemma alike_stalemate : forall p q, alike p q -> stalemate p = stalemate q.
Proof.
  intros p q same; unfold stalemate; rewrite (alike_has_move p q same).
  destruct same as [-> [-> _]]; reflexivity.
Qed.

Lemma alike_ends : forall p q m, alike p q -> ends g p m = ends g q m.
Proof. intros p q m same; unfold ends; rewrite (alike_play p q m same); reflexivity. Qed.

Lemma alike_legal : forall p q, alike p q -> legal_moves p = legal_moves q.
Proof. intros p q same; apply same. Qed.

Lemma alike_can_end : forall p q, alike p q -> can_end g p = can_end g q.
Proof.
  assert (one : forall p q, alike p q -> can_end g p = true -> can_end g q = true).
  { intros p q same H; apply can_end_spec in H; destruct H as [m [legal E]].
    apply can_end_spec; exists m; rewrite <- (alike_legal p q same), <- (alike_ends p q m same); auto. }
  intros p q same.
  assert (back : alike q p) by (unfold alike in *; intuition congruence).
  destruct (can_end g p) eqn:P, (can_end g q) eqn:Q; try reflexivity.
  - rewrite (one p q same P) in Q; discriminate.
  - rewrite (one q p back Q) in P; discriminate.
Qed.

Lemma alike_defences : forall p q, alike p q -> defences g p = defences g q.
Proof.
  intros p q same; unfold defences, defender_must_end.
  rewrite (alike_can_end p q same), (alike_legal p q same).
  apply filter_ext; intros m; rewrite (alike_ends p q m same); reflexivity.
Qed.

Lemma alike_holds : forall A p q, alike p q -> holds_after g A p -> holds_after g A q.
Proof.
  intros A p q same; unfold holds_after, stands_after_attack.
  rewrite (alike_checkmate p q same), (alike_stalemate p q same), (alike_defences p q same).
  intros [now | [some every]]; [left; exact now | right; split; [exact some |]].
  intros d D; rewrite <- (alike_play p q d same); auto.
Qed.

Lemma alike_won : forall n p q, alike p q -> won g n p -> won g n q.
Proof. intros n p q; apply alike_holds. Qed.

Lemma alike_solvable : forall n p q, alike p q -> solvable g n p -> solvable g n q.
Proof.
  intros [| n] p q same; simpl; [tauto |].
  unfold attacker_must_end; rewrite (alike_can_end p q same), (alike_legal p q same).
  intros [duty [m [legal w]]]; split; [exact duty |]; exists m; split; [exact legal |].
  rewrite <- (alike_play p q m same); exact w.
Qed.

Lemma alike_sym : forall p q, alike p q -> alike q p.
Proof. unfold alike; intuition congruence. Qed.

End Goal.
