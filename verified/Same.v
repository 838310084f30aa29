(** When two positions are the same: the men, the side to move, the castling rights and the legal en passant captures. *)

Require Import List Bool.
Require Import Board Moves.
Import ListNotations.

Definition content_eq (x y : content) : {x = y} + {x <> y}.
Proof. decide equality; decide equality. Defined.

Definition row_eq (x y : row content) : {x = y} + {x <> y}.
Proof. decide equality; apply content_eq. Defined.

Definition board_eq (x y : board) : {x = y} + {x <> y}.
Proof. decide equality; apply row_eq. Defined.

Definition color_eq (x y : color) : {x = y} + {x <> y}.
Proof. decide equality. Defined.

Definition square_eq (x y : square) : {x = y} + {x <> y}.
Proof. decide equality; decide equality. Defined.

Definition squares_eq (x y : list square) : {x = y} + {x <> y}.
Proof. decide equality; apply square_eq. Defined.

Definition ep_eq (x y : option square) : {x = y} + {x <> y}.
Proof. decide equality; apply square_eq. Defined.

Definition pairs_eq (x y : list (square * square)) : {x = y} + {x <> y}.
Proof. decide equality; decide equality; apply square_eq. Defined.

Definition move_eq (x y : move) : {x = y} + {x <> y}.
Proof. decide equality; try apply square_eq; decide equality. Defined.

Definition moves_eq (x y : list move) : {x = y} + {x <> y}.
Proof. decide equality; apply move_eq. Defined.

(** The legal captures en passant are the same if all legal moves are: the other moves do not depend on them. *)
Definition same_position (p q : position) : bool :=
  (if board_eq (men p) (men q) then true else false)
  && (if color_eq (turn p) (turn q) then true else false)
  && (if squares_eq (rights p) (rights q) then true else false)
  && (if pairs_eq (exclusive p) (exclusive q) then true else false)
  && ((if ep_eq (ep p) (ep q) then true else false)
      || (if moves_eq (legal_moves p) (legal_moves q) then true else false)).

(** The same men, side to move, rights (with their pairs) and legal moves. *)
Definition alike (p q : position) : Prop :=
  men p = men q /\ turn p = turn q /\ rights p = rights q /\ exclusive p = exclusive q
  /\ legal_moves p = legal_moves q.

Lemma same_position_alike : forall p q, same_position p q = true -> alike p q.
Proof.
  intros [b c r e x] [b' c' r' e' x']; unfold same_position, alike; cbn [men turn rights ep exclusive].
  destruct (board_eq b b'); [subst | discriminate].
  destruct (color_eq c c'); [subst | discriminate].
  destruct (squares_eq r r'); [subst | discriminate].
  destruct (pairs_eq x x'); [subst | discriminate].
  destruct (ep_eq e e'); [subst; auto |].
  destruct (moves_eq _ _) as [E | E]; [auto | discriminate].
Qed.

Lemma alike_play : forall p q m, alike p q -> play p m = play q m.
Proof.
  intros p q m [men_same [turn_same [rights_same [pairs_same _]]]].
  unfold play, rights_after, ep_after, excludes.
  rewrite men_same, turn_same, rights_same, pairs_same; reflexivity.
Qed.

Lemma alike_has_move : forall p q, alike p q -> has_move p = has_move q.
Proof.
  intros p q [_ [_ [_ [_ legal_same]]]].
  destruct (has_move q) eqn:E.
  - apply has_move_spec; rewrite legal_same; apply has_move_spec; exact E.
  - apply no_move_spec; rewrite legal_same; apply no_move_spec; exact E.
Qed.
