(** Why a section that shows that there is no solution is right. *)

Require Import List Bool String NArith PeanoNat Lia FMapPositive.
Require Import Board Moves Text Game Format Same Nodes Checker GameFacts.
Import ListNotations.

Section Goal.
Variable g : goal.

(** Each position of the memory is not solvable in its moves left. *)
Definition refuted_known (known : memory) : Prop :=
  forall l p n, PositiveMap.find l known = Some (p, n) -> ~ solvable g n p.

Lemma refuted_known_store : forall known line p n,
  refuted_known known -> ~ solvable g n p -> refuted_known (store known line p n).
Proof.
  intros known [l |] p n K W; simpl; [| exact K].
  intros l' p' n' F; destruct (Pos.eq_dec l' l) as [-> | differ].
  - rewrite PositiveMap.gss in F; injection F as <- <-; exact W.
  - rewrite PositiveMap.gso in F by exact differ; exact (K l' p' n' F).
Qed.

Lemma refuted_known_empty : refuted_known (PositiveMap.empty _).
Proof. intros l p n F; rewrite PositiveMap.gempty in F; discriminate. Qed.

(** ** Positions without a line *)

Lemma reached_now_spec : forall p, reached_now g p = true <-> won g 0 p.
Proof.
  intros p; unfold reached_now, won, holds_after.
  assert (no : forall q, solvable g 0 q <-> False) by (simpl; tauto).
  rewrite orb_true_iff.
  assert (some : has_move p = true -> exists d, In d (defences g p)).
  { intros H; apply has_move_spec in H; destruct H as [m legal].
    destruct (defender_must_end g p) eqn:must.
    - assert (can_end g p = true) as can by (destruct g; try discriminate; exact must).
      apply can_end_spec in can; destruct can as [d [D M]].
      exists d; apply in_defences; split; [exact D |]; unfold is_defence; rewrite must; exact M.
    - exists m; apply in_defences; split; [exact legal |]; unfold is_defence; rewrite must; reflexivity. }
  split.
  - intros [now | H]; [left; exact now | right].
    destruct g; try discriminate; apply andb_true_iff in H; destruct H as [H all];
      rewrite forallb_forall in all; split; auto.
  - intros [now | [[d D] every]]; [left; exact now | right].
    assert (all : forall e, In e (defences g p) -> stands_after_defence g (play p e) = true).
    { intros e E; destruct (every e E) as [H | H]; [exact H | apply no in H; contradiction]. }
    assert (has : has_move p = true).
    { apply has_move_spec; exists d; apply in_defences in D; tauto. }
    destruct g; try (apply andb_true_iff; split; [exact has | apply forallb_forall; exact all]);
      specialize (all d D); discriminate.
Qed.

Lemma solves_with_spec : forall p m,
  solves_with g p m = true <-> is_safe p m = true /\ reached_now g (play p m) = true.
Proof. intros p m; unfold solves_with; destruct g; rewrite andb_true_iff; tauto. Qed.

Lemma solvable_at_once_spec : forall p, solvable_at_once g p = true <-> solvable g 1 p.
Proof.
  intros p; unfold solvable_at_once; rewrite andb_true_iff, negb_true_iff, existsb_exists; cbn [solvable].
  split; intros [duty [m H]]; split; try exact duty; exists m.
  - destruct H as [I H]; apply solves_with_spec in H; destruct H as [safe now].
    split; [apply legal_moves_spec; auto | apply reached_now_spec; exact now].
  - destruct H as [legal w]; apply legal_moves_spec in legal; destruct legal as [I safe].
    split; [exact I |]; apply solves_with_spec; split; [exact safe | apply reached_now_spec; exact w].
Qed.

Lemma must_end_not_solvable : forall n p, attacker_must_end g p = true -> ~ solvable g n p.
Proof. intros [| n] p must; simpl; [tauto | intros [duty _]; congruence]. Qed.

Lemma closed_ok : forall k p, closed g k p = true -> ~ solvable g k p.
Proof.
  intros [| [| k]] p; cbn [closed].
  - intros _ H; exact H.
  - intros H S; apply solvable_at_once_spec in S; rewrite S in H; discriminate.
  - intros H; apply orb_true_iff in H; destruct H as [none | must].
    + apply no_move_not_solvable; apply negb_true_iff; exact none.
    + apply must_end_not_solvable; exact must.
Qed.

(** ** One line *)

Definition none_solvable (k : nat) (opened : list position) : Prop :=
  forall q, In q opened -> ~ solvable g k q.

Lemma reply_move_spec : forall p n m, reply_move g p n = Some m -> In m (defences g p).
Proof.
  intros p n m; unfold reply_move.
  destruct (find_move p n) as [found |] eqn:F; [| discriminate].
  destruct (is_defence g p found) eqn:D; [| discriminate].
  intros E; injection E as <-; apply in_defences; split; [exact (find_move_legal p n found F) | exact D].
Qed.

Lemma first_reply_spec : forall p replies m, first_reply g p replies = Some m -> In m (defences g p).
Proof.
  intros p replies m; induction replies as [| [n [numbers |]] rest IH]; simpl; [discriminate | exact IH |].
  destruct (reply_move g p n) as [found |] eqn:F; [| exact IH].
  intros E; injection E as <-; exact (reply_move_spec p n found F).
Qed.

Lemma find_reply_spec : forall p replies i m, find_reply g p replies i = Some m -> In m (defences g p).
Proof.
  intros p replies i m; unfold find_reply.
  destruct (find (names_move i) replies) as [[n numbers] |]; [apply reply_move_spec | apply first_reply_spec].
Qed.

Lemma after_reply_ok : forall k y d opened,
  after_reply g k y d = Some opened -> In d (defences g y) -> none_solvable k opened -> ~ won g k y.
Proof.
  intros k y d opened; unfold after_reply.
  destruct (stands_after_defence g (play y d)) eqn:stands; [discriminate |].
  intros H D none; apply (reply_refutes g _ y d D stands).
  destruct (closed g k (play y d)) eqn:C.
  - apply closed_ok; exact C.
  - destruct (Nat.leb k 1); [discriminate |]; injection H as <-; apply none; left; reflexivity.
Qed.

Lemma refute_one_ok : forall k replies i y opened,
  refute_one g k replies i y = Some opened -> none_solvable k opened -> ~ won g k y.
Proof.
  intros k replies i y opened; unfold refute_one.
  destruct (has_move y) eqn:has.
  - destruct (find_reply g y replies i) as [d |] eqn:F; [| discriminate].
    intros H; apply (after_reply_ok k y d opened H); exact (find_reply_spec y replies i d F).
  - destruct (stands_after_attack g y) eqn:stands; [discriminate |].
    intros _ _; apply no_move_not_won; assumption.
Qed.

Lemma refute_all_ok : forall k p counts replies moves i opened,
  refute_all g k p counts replies i moves = Some opened -> none_solvable k opened ->
  forall m, In m moves -> counts m = true -> ~ won g k (play p m).
Proof.
  intros k p counts replies moves; induction moves as [| a rest IH]; intros i opened; [intros _ _ m [] |].
  cbn [refute_all].
  destruct (if counts a then _ else _) as [o1 |] eqn:One; [| discriminate].
  destruct (refute_all _ _ _ _ _ _ _) as [o2 |] eqn:All; [| discriminate].
  intros eq; injection eq as <-; intros none m [<- | M] C.
  - rewrite C in One; apply (refute_one_ok _ _ _ _ _ One); intros q Q; apply none; apply in_or_app; auto.
  - apply (IH _ _ All); [intros q Q; apply none; apply in_or_app; auto | exact M | exact C].
Qed.

(** If all positions that a line opens are not solvable in [k] moves, its position is not in [k + 1]. *)
Lemma refutation_node_ok : forall k p replies opened,
  refute_all g k p (fun _ => true) replies 0 (legal_moves p) = Some opened -> none_solvable k opened ->
  ~ solvable g (S k) p.
Proof.
  intros k p replies opened All none [_ [m [legal w]]].
  exact (refute_all_ok _ _ _ _ _ _ _ All none m legal eq_refl w).
Qed.

(** ** The stack

    [refuted_linked R first stack k q]: if [q], the position on which the stack waits, is not solvable in [k] moves, then
    the position of the topmost frame follows from it and from what else it waits for; and so on down to the diagram,
    about which [R] follows. *)

Inductive refuted_linked (R : Prop) (first : list position) : list refuted_frame -> nat -> position -> Prop :=
| refuted_bottom : forall k q,
    (none_solvable k (q :: first) -> R) -> refuted_linked R first [] k q
| refuted_on : forall f below k q,
    (none_solvable k (q :: refuted_waiting f) -> ~ solvable g (S k) (refuted_position f)) ->
    refuted_linked R first below (S k) (refuted_position f) ->
    refuted_linked R first (f :: below) k q.

Definition refuted_next_ok (R : Prop) (next : refuted_next) : Prop :=
  match next with
  | RefutedDone known => refuted_known known /\ R
  | RefutedNext known first stack k q => refuted_known known /\ refuted_linked R first stack k q
  end.

Lemma none_solvable_cons : forall k q l, ~ solvable g k q -> none_solvable k l -> none_solvable k (q :: l).
Proof. intros k q l Q L x [<- | X]; auto. Qed.

Lemma close_refuted_ok : forall R first stack known k q,
  refuted_linked R first stack k q -> refuted_known known -> ~ solvable g k q ->
  refuted_next_ok R (close_refuted known first stack k).
Proof.
  intros R first stack; induction stack as [| f below IH]; intros known k q linked K not_q; simpl.
  - inversion linked as [k' q' bottom |]; subst.
    destruct first as [| next waiting]; simpl; (split; [exact K |]).
    + apply bottom; apply none_solvable_cons; [exact not_q | intros x []].
    + constructor; intros all; apply bottom; apply none_solvable_cons; assumption.
  - inversion linked as [| f' below' k' q' frame rest]; subst.
    destruct (refuted_waiting f) as [| next waiting] eqn:waits.
    + assert (~ solvable g (S k) (refuted_position f)) as done.
      { apply frame; apply none_solvable_cons; [exact not_q | intros x []]. }
      apply (IH _ _ (refuted_position f)); auto.
      apply (refuted_known_store known (Some (refuted_line f))); assumption.
    + simpl; split; [exact K |]; constructor; cbn [refuted_position refuted_waiting]; [| exact rest].
      intros all; apply frame; apply none_solvable_cons; assumption.
Qed.

End Goal.
