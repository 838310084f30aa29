(** The board: men, squares, and the squares that a man reaches on an empty board. *)

Require Import List.
Import ListNotations.

Inductive color := White | Black.
Inductive role := Pawn | Knight | Bishop | Rook | Queen | King.

(** What stands on a square. *)
Inductive content := Empty | Man (c : color) (r : role).

Definition other (c : color) : color := match c with White => Black | Black => White end.

Definition same_color (c d : color) : bool :=
  match c, d with White, White | Black, Black => true | _, _ => false end.

Definition same_role (a b : role) : bool :=
  match a, b with
  | Pawn, Pawn | Knight, Knight | Bishop, Bishop | Rook, Rook | Queen, Queen | King, King => true
  | _, _ => false
  end.

Definition is_empty (x : content) : bool := match x with Empty => true | Man _ _ => false end.

Definition is_of (c : color) (x : content) : bool :=
  match x with Empty => false | Man d _ => same_color c d end.

Definition is_man (c : color) (r : role) (x : content) : bool :=
  match x with Empty => false | Man d s => same_color c d && same_role r s end.

(** ** Squares *)

Inductive file := FA | FB | FC | FD | FE | FF | FG | FH.
Inductive rank := R1 | R2 | R3 | R4 | R5 | R6 | R7 | R8.
Inductive square := Sq (f : file) (r : rank).

Definition file_of (s : square) : file := match s with Sq f _ => f end.
Definition rank_of (s : square) : rank := match s with Sq _ r => r end.

Definition file_index (f : file) : nat :=
  match f with FA => 0 | FB => 1 | FC => 2 | FD => 3 | FE => 4 | FF => 5 | FG => 6 | FH => 7 end.
Definition rank_index (r : rank) : nat :=
  match r with R1 => 0 | R2 => 1 | R3 => 2 | R4 => 3 | R5 => 4 | R6 => 5 | R7 => 6 | R8 => 7 end.

Definition same_file (f g : file) : bool := Nat.eqb (file_index f) (file_index g).
Definition same_rank (r s : rank) : bool := Nat.eqb (rank_index r) (rank_index s).
Definition same_square (s t : square) : bool :=
  same_file (file_of s) (file_of t) && same_rank (rank_of s) (rank_of t).

Definition files : list file := [FA; FB; FC; FD; FE; FF; FG; FH].
Definition ranks : list rank := [R1; R2; R3; R4; R5; R6; R7; R8].

(** All squares in the order a1, b1, ..., h1, a2, ..., h8. *)
Definition squares : list square := flat_map (fun r => map (fun f => Sq f r) files) ranks.

Definition east_of (f : file) : option file :=
  match f with
  | FA => Some FB | FB => Some FC | FC => Some FD | FD => Some FE
  | FE => Some FF | FF => Some FG | FG => Some FH | FH => None
  end.
Definition west_of (f : file) : option file :=
  match f with
  | FA => None | FB => Some FA | FC => Some FB | FD => Some FC
  | FE => Some FD | FF => Some FE | FG => Some FF | FH => Some FG
  end.
Definition north_of (r : rank) : option rank :=
  match r with
  | R1 => Some R2 | R2 => Some R3 | R3 => Some R4 | R4 => Some R5
  | R5 => Some R6 | R6 => Some R7 | R7 => Some R8 | R8 => None
  end.
Definition south_of (r : rank) : option rank :=
  match r with
  | R1 => None | R2 => Some R1 | R3 => Some R2 | R4 => Some R3
  | R5 => Some R4 | R6 => Some R5 | R7 => Some R6 | R8 => Some R7
  end.

(** ** Steps *)

Inductive direction := North | South | East | West.

(** The next square in a direction, if the board does not end there. *)
Definition next (d : direction) (s : square) : option square :=
  let (f, r) := s in
  match d with
  | North => option_map (Sq f) (north_of r)
  | South => option_map (Sq f) (south_of r)
  | East => option_map (fun g => Sq g r) (east_of f)
  | West => option_map (fun g => Sq g r) (west_of f)
  end.

(** The square at the end of a way of several steps. *)
Fixpoint go (way : list direction) (s : square) : option square :=
  match way with
  | [] => Some s
  | d :: rest => match next d s with Some t => go rest t | None => None end
  end.

(** The squares at the ends of some ways, without those that leave the board. *)
Definition ends (ways : list (list direction)) (s : square) : list square :=
  flat_map (fun way => match go way s with Some t => [t] | None => [] end) ways.

(** The squares that lie on a line from a square, from near to far. Seven steps reach the edge from everywhere. *)
Fixpoint line_of (steps : nat) (way : list direction) (s : square) : list square :=
  match steps with
  | O => []
  | S n => match go way s with Some t => t :: line_of n way t | None => [] end
  end.

Definition straight : list (list direction) := [[North]; [South]; [East]; [West]].
Definition diagonal : list (list direction) :=
  [[North; East]; [North; West]; [South; East]; [South; West]].
Definition knight_ways : list (list direction) :=
  [[North; North; East]; [North; North; West]; [South; South; East]; [South; South; West];
   [East; East; North]; [East; East; South]; [West; West; North]; [West; West; South]].

(** Where a pawn goes: White's to the north, Black's to the south. *)
Definition forward (c : color) : direction := match c with White => North | Black => South end.
Definition pawn_captures (c : color) : list (list direction) := [[forward c; East]; [forward c; West]].

(** ** Tables: something for each square *)

Inductive row (A : Type) := Row (a b c d e f g h : A).
Inductive table (A : Type) := Table (r1 r2 r3 r4 r5 r6 r7 r8 : row A).
Arguments Row {A}.
Arguments Table {A}.

Definition row_get {A} (t : row A) (x : file) : A :=
  match t with Row a b c d e f g h =>
    match x with FA => a | FB => b | FC => c | FD => d | FE => e | FF => f | FG => g | FH => h end
  end.

Definition row_set {A} (t : row A) (x : file) (v : A) : row A :=
  match t with Row a b c d e f g h =>
    match x with
    | FA => Row v b c d e f g h | FB => Row a v c d e f g h
    | FC => Row a b v d e f g h | FD => Row a b c v e f g h
    | FE => Row a b c d v f g h | FF => Row a b c d e v g h
    | FG => Row a b c d e f v h | FH => Row a b c d e f g v
    end
  end.

Definition row_at {A} (t : table A) (y : rank) : row A :=
  match t with Table a b c d e f g h =>
    match y with R1 => a | R2 => b | R3 => c | R4 => d | R5 => e | R6 => f | R7 => g | R8 => h end
  end.

Definition get {A} (t : table A) (s : square) : A := let (f, r) := s in row_get (row_at t r) f.

Definition set {A} (t : table A) (s : square) (v : A) : table A :=
  let (x, y) := s in
  match t with Table a b c d e f g h =>
    match y with
    | R1 => Table (row_set a x v) b c d e f g h | R2 => Table a (row_set b x v) c d e f g h
    | R3 => Table a b (row_set c x v) d e f g h | R4 => Table a b c (row_set d x v) e f g h
    | R5 => Table a b c d (row_set e x v) f g h | R6 => Table a b c d e (row_set f x v) g h
    | R7 => Table a b c d e f (row_set g x v) h | R8 => Table a b c d e f g (row_set h x v)
    end
  end.

Definition tabulate {A} (of : square -> A) : table A :=
  let row_of r := Row (of (Sq FA r)) (of (Sq FB r)) (of (Sq FC r)) (of (Sq FD r))
                      (of (Sq FE r)) (of (Sq FF r)) (of (Sq FG r)) (of (Sq FH r)) in
  Table (row_of R1) (row_of R2) (row_of R3) (row_of R4) (row_of R5) (row_of R6) (row_of R7) (row_of R8).

Definition board := table content.

Definition empty_board : board := tabulate (fun _ => Empty).

(** The squares that men reach on an empty board, worked out once. The lines of a rook, a bishop or a queen are
    separate lists, so that a man can end each of them. *)
Definition king_squares : table (list square) := tabulate (ends (straight ++ diagonal)).
Definition knight_squares : table (list square) := tabulate (ends knight_ways).
Definition rook_lines : table (list (list square)) :=
  tabulate (fun s => map (fun way => line_of 7 way s) straight).
Definition bishop_lines : table (list (list square)) :=
  tabulate (fun s => map (fun way => line_of 7 way s) diagonal).
Definition white_pawn_captures : table (list square) := tabulate (ends (pawn_captures White)).
Definition black_pawn_captures : table (list square) := tabulate (ends (pawn_captures Black)).

Definition pawn_capture_squares (c : color) (s : square) : list square :=
  get (match c with White => white_pawn_captures | Black => black_pawn_captures end) s.

(** ** Tables do what their names say *)

Lemma get_tabulate : forall A (of : square -> A) s, get (tabulate of) s = of s.
Proof. intros A of [f r]; destruct r; destruct f; reflexivity. Qed.

Lemma get_set_same : forall A (t : table A) s v, get (set t s v) s = v.
Proof.
  intros A [a b c d e f g h] [x y] v.
  destruct y; simpl;
    match goal with |- row_get (row_set ?r _ _) _ = _ => destruct r end; destruct x; reflexivity.
Qed.

Lemma get_set_other : forall A (t : table A) s u v, s <> u -> get (set t s v) u = get t u.
Proof.
  intros A [a b c d e f g h] [x y] [x' y'] v differ.
  destruct y, y'; simpl; try reflexivity;
    match goal with |- row_get (row_set ?r _ _) _ = _ => destruct r end;
    destruct x, x'; try reflexivity; contradiction differ; reflexivity.
Qed.

Lemma squares_all : forall s, In s squares.
Proof. intros [f r]; destruct r; destruct f; simpl; tauto. Qed.
