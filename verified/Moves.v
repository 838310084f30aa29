(** The rules of chess: positions, attacks, moves, check, checkmate and stalemate. *)

Require Import List Bool.
Require Import Board.
Import ListNotations.

(** [rights] holds the squares of the rooks that may still castle. [ep] is the square that a pawn has just passed with
    a double step. [exclusive] holds pairs of rooks; it is empty in orthodox chess. Castling with one rook of a pair shows
    that the other one may not castle: such pairs belong to problems in which one of two kings or rooks must have moved.
    Repetition and the 50-move rule are not a part of a position. *)
Record position := Position {
  men : board;
  turn : color;
  rights : list square;
  ep : option square;
  exclusive : list (square * square);
}.

(** Castling is named by the squares of the king and of his own rook. *)
Inductive move :=
| Step (from to : square)
| DoubleStep (from to : square)
| EnPassant (from to : square)
| Promotion (from to : square) (r : role)
| Castling (king rook : square).

Definition from_of (m : move) : square :=
  match m with
  | Step a _ | DoubleStep a _ | EnPassant a _ | Promotion a _ _ | Castling a _ => a
  end.
Definition to_of (m : move) : square :=
  match m with
  | Step _ b | DoubleStep _ b | EnPassant _ b | Promotion _ b _ | Castling _ b => b
  end.

(** ** Attacks *)

(** The first man on a line. *)
Fixpoint first_man (b : board) (line : list square) : content :=
  match line with
  | [] => Empty
  | s :: rest => match get b s with Empty => first_man b rest | man => man end
  end.

(** Whether a man of colour [c] attacks the square. A man attacks it if a man of his kind would attack him from it; a
    pawn, if a pawn of the other colour would. *)
Definition attacked (b : board) (c : color) (s : square) : bool :=
  existsb (fun line => let x := first_man b line in is_man c Rook x || is_man c Queen x) (get rook_lines s)
  || existsb (fun line => let x := first_man b line in is_man c Bishop x || is_man c Queen x) (get bishop_lines s)
  || existsb (fun t => is_man c Knight (get b t)) (get knight_squares s)
  || existsb (fun t => is_man c Pawn (get b t)) (pawn_capture_squares (other c) s)
  || existsb (fun t => is_man c King (get b t)) (get king_squares s).

(** The file of the king, if he stands on this rank. *)
Definition king_in_row (c : color) (t : row content) : option file :=
  let is_king := is_man c King in
  match t with Row a b c d e f g h =>
    if is_king a then Some FA else if is_king b then Some FB else
    if is_king c then Some FC else if is_king d then Some FD else
    if is_king e then Some FE else if is_king f then Some FF else
    if is_king g then Some FG else if is_king h then Some FH else None
  end.

Fixpoint king_in_rows (b : board) (c : color) (rows : list rank) : option square :=
  match rows with
  | [] => None
  | r :: rest => match king_in_row c (row_at b r) with Some f => Some (Sq f r) | None => king_in_rows b c rest end
  end.

Definition king_square (b : board) (c : color) : option square := king_in_rows b c ranks.

Definition in_check (b : board) (c : color) : bool :=
  match king_square b c with Some s => attacked b (other c) s | None => false end.

(** ** Moves, without regard to check *)

(** The squares of a line that a man of colour [c] reaches: up to the first man, with him if he is of the other side. *)
Fixpoint reached (b : board) (c : color) (line : list square) : list square :=
  match line with
  | [] => []
  | s :: rest =>
      match get b s with
      | Empty => s :: reached b c rest
      | Man d _ => if same_color c d then [] else [s]
      end
  end.

Definition line_moves (b : board) (c : color) (from : square) (lines : list (list square)) : list move :=
  flat_map (fun line => map (Step from) (reached b c line)) lines.

Definition jump_moves (b : board) (c : color) (from : square) (targets : list square) : list move :=
  flat_map (fun to => if is_of c (get b to) then [] else [Step from to]) targets.

Definition back_rank (c : color) : rank := match c with White => R1 | Black => R8 end.
Definition pawn_rank (c : color) : rank := match c with White => R2 | Black => R7 end.

(** A step of a pawn, which may end on the last rank. *)
Definition pawn_step (c : color) (from to : square) : list move :=
  if same_rank (rank_of to) (back_rank (other c))
  then map (Promotion from to) [Knight; Bishop; Rook; Queen]
  else [Step from to].

Definition pawn_moves (p : position) (from : square) : list move :=
  let (b, c, _, passed, _) := p in
  let pushes :=
    match next (forward c) from with
    | None => []
    | Some one =>
        if is_empty (get b one) then
          pawn_step c from one ++
          (if same_rank (rank_of from) (pawn_rank c) then
             match next (forward c) one with
             | None => []
             | Some two => if is_empty (get b two) then [DoubleStep from two] else []
             end
           else [])
        else []
    end in
  let captures :=
    flat_map
      (fun to =>
         if is_of (other c) (get b to) then pawn_step c from to
         else match passed with
              | Some s => if same_square s to then [EnPassant from to] else []
              | None => []
              end)
      (pawn_capture_squares c from) in
  pushes ++ captures.

(** ** Castling

    The rook may stand on any square of the king's rank, as in Chess960. On the rook's side of the board, the king goes
    to the g-file and the rook to the f-file, or the king to the c-file and the rook to the d-file. *)

Definition castling_files (king rook : square) : file * file :=
  if Nat.ltb (file_index (file_of king)) (file_index (file_of rook)) then (FG, FF) else (FC, FD).

(** The squares of a rank between two files, with both of them. *)
Definition between (r : rank) (f g : file) : list square :=
  let low := Nat.min (file_index f) (file_index g) in
  let high := Nat.max (file_index f) (file_index g) in
  flat_map (fun x => if Nat.leb low (file_index x) && Nat.leb (file_index x) high then [Sq x r] else []) files.

(** The ways of king and rook must be free of other men, and no square of the king's way, with both ends, may be
    attacked. *)
Definition may_castle (b : board) (c : color) (king rook : square) : bool :=
  let r := rank_of king in
  let (king_to, rook_to) := castling_files king rook in
  let king_way := between r (file_of king) king_to in
  let rook_way := between r (file_of rook) rook_to in
  let free s := is_empty (get b s) || same_square s king || same_square s rook in
  forallb free king_way && forallb free rook_way && forallb (fun s => negb (attacked b (other c) s)) king_way.

Definition castling_moves (p : position) (king : square) : list move :=
  flat_map
    (fun rook =>
       if same_rank (rank_of rook) (back_rank (turn p)) && may_castle (men p) (turn p) king rook
       then [Castling king rook] else [])
    (rights p).

(** The moves of the man on this square, if it is one of the side to move. *)
Definition moves_from (p : position) (from : square) : list move :=
  let b := men p in
  let c := turn p in
  match get b from with
  | Empty => []
  | Man d r =>
      if same_color c d then
        match r with
        | Pawn => pawn_moves p from
        | Knight => jump_moves b c from (get knight_squares from)
        | Bishop => line_moves b c from (get bishop_lines from)
        | Rook => line_moves b c from (get rook_lines from)
        | Queen => line_moves b c from (get rook_lines from) ++ line_moves b c from (get bishop_lines from)
        | King => jump_moves b c from (get king_squares from) ++ castling_moves p from
        end
      else []
  end.

Definition pseudo_moves (p : position) : list move := flat_map (moves_from p) squares.

(** ** Making a move *)

Definition transfer (b : board) (from to : square) : board := set (set b from Empty) to (get b from).

Definition men_after (b : board) (c : color) (m : move) : board :=
  match m with
  | Step from to | DoubleStep from to => transfer b from to
  | EnPassant from to => set (transfer b from to) (Sq (file_of to) (rank_of from)) Empty
  | Promotion from to r => set (set b from Empty) to (Man c r)
  | Castling king rook =>
      let (king_to, rook_to) := castling_files king rook in
      let r := rank_of king in
      set (set (set (set b king Empty) rook Empty) (Sq king_to r) (Man c King)) (Sq rook_to r) (Man c Rook)
  end.

(** Whether a move is castling with one rook of a pair, and [rook] is the other one. *)
Definition excludes (p : position) (m : move) (rook : square) : bool :=
  match m with
  | Castling _ used =>
      existsb
        (fun pair =>
           (same_square (fst pair) used && same_square (snd pair) rook)
           || (same_square (snd pair) used && same_square (fst pair) rook))
        (exclusive p)
  | _ => false
  end.

(** A right to castle ends when the rook moves or is captured, when the king moves, and when it is excluded. *)
Definition rights_after (p : position) (m : move) : list square :=
  let king_moves := is_man (turn p) King (get (men p) (from_of m)) in
  filter
    (fun rook =>
       negb (same_square rook (from_of m)) && negb (same_square rook (to_of m))
       && negb (king_moves && same_rank (rank_of rook) (back_rank (turn p)))
       && negb (excludes p m rook))
    (rights p).

Definition ep_after (p : position) (m : move) : option square :=
  match m with DoubleStep from _ => next (forward (turn p)) from | _ => None end.

Definition play (p : position) (m : move) : position :=
  Position (men_after (men p) (turn p) m) (other (turn p)) (rights_after p m) (ep_after p m) (exclusive p).

(** ** Legal moves *)

(** A move must not leave its own king in check. *)
Definition is_safe (p : position) (m : move) : bool := negb (in_check (men_after (men p) (turn p) m) (turn p)).

(** The order of moves: by the square where a move begins, by the square where it ends, by the role of a promotion. *)
Definition role_index (m : move) : nat :=
  match m with
  | Promotion _ _ Knight => 1
  | Promotion _ _ Bishop => 2
  | Promotion _ _ Rook => 3
  | Promotion _ _ Queen => 4
  | _ => 0
  end.

Definition then_compare (a b : comparison) : comparison := match a with Eq => b | _ => a end.

Definition compare_squares (s t : square) : comparison :=
  then_compare (Nat.compare (rank_index (rank_of s)) (rank_index (rank_of t)))
               (Nat.compare (file_index (file_of s)) (file_index (file_of t))).

Definition compare_moves (m n : move) : comparison :=
  then_compare (compare_squares (from_of m) (from_of n))
    (then_compare (compare_squares (to_of m) (to_of n)) (Nat.compare (role_index m) (role_index n))).

Fixpoint insert (m : move) (sorted : list move) : list move :=
  match sorted with
  | [] => [m]
  | n :: rest => match compare_moves m n with Gt => n :: insert m rest | _ => m :: sorted end
  end.

Definition sort (moves : list move) : list move := fold_right insert [] moves.

(** All legal moves, in the order of moves. *)
Definition legal_moves (p : position) : list move := sort (filter (is_safe p) (pseudo_moves p)).

(** ** The end of a game *)

Definition has_move (p : position) : bool := existsb (is_safe p) (pseudo_moves p).
Definition checkmate (p : position) : bool := in_check (men p) (turn p) && negb (has_move p).
Definition stalemate (p : position) : bool := negb (in_check (men p) (turn p)) && negb (has_move p).

(** ** [legal_moves] and [has_move] agree *)

Lemma in_insert : forall m n l, In m (insert n l) <-> n = m \/ In m l.
Proof.
  intros m n l; induction l as [| k rest IH]; simpl.
  - tauto.
  - destruct (compare_moves n k); simpl; rewrite ?IH; tauto.
Qed.

Lemma in_sort : forall m l, In m (sort l) <-> In m l.
Proof.
  intros m l; induction l as [| k rest IH]; simpl.
  - tauto.
  - rewrite in_insert, IH; tauto.
Qed.

Lemma legal_moves_spec : forall p m, In m (legal_moves p) <-> In m (pseudo_moves p) /\ is_safe p m = true.
Proof. intros p m; unfold legal_moves; rewrite in_sort, filter_In; tauto. Qed.

Lemma has_move_spec : forall p, has_move p = true <-> exists m, In m (legal_moves p).
Proof.
  intros p; unfold has_move; rewrite existsb_exists.
  split; intros [m H]; exists m; apply legal_moves_spec; exact H.
Qed.

Lemma no_move_spec : forall p, has_move p = false <-> forall m, ~ In m (legal_moves p).
Proof.
  intros p; split.
  - intros H m legal. assert (has_move p = true) by (apply has_move_spec; exists m; exact legal). congruence.
  - intros H. destruct (has_move p) eqn:E; [| reflexivity].
    apply has_move_spec in E; destruct E as [m legal]; contradiction (H m legal).
Qed.
