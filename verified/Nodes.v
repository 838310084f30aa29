(** One position of a certificate: what its line must say, and which positions it opens. *)

Require Import List Bool NArith.
Require Import Board Moves Text Game Format.
Import ListNotations.

(** ** One position of a solution *)

(** The attacker's answer: a legal move, where no duty keeps him from it. *)
Definition attack_move (g : goal) (p : position) (n : name) : option move :=
  if attacker_must_end g p then None else find_move p n.

(** An answer to the defence that led to [x]. Returns how long the solution is at least, and the position that is
    opened. *)
Definition answer_one (g : goal) (x : position) (a : answer) : option (nat * list position) :=
  match a with
  | GoalStands => if stands_after_defence g x then Some (0, []) else None
  | Ends n =>
      match attack_move g x n with
      | Some m => if stands_after_attack g (play x m) then Some (1, []) else None
      | None => None
      end
  | Opens n =>
      match attack_move g x n with
      | Some m => Some (0, [play x m])
      | None => None
      end
  end.

(** Answers to all defences. *)
Fixpoint answer_all (g : goal) (p : position) (ds : list move) (tokens : list token)
  : option (nat * list position) :=
  match ds, tokens with
  | [], [] => Some (0, [])
  | d :: ds, (a, count) :: rest =>
      match answer_one g (play p d) a with
      | Some (length, opened) =>
          let tokens := if N.leb count 1 then rest else (a, N.pred count) :: rest in
          match answer_all g p ds tokens with
          | Some (length', opened') => Some (Nat.max length length', opened ++ opened')
          | None => None
          end
      | None => None
      end
  | _, _ => None
  end.

Definition solution_node (g : goal) (p : position) (tokens : list token) : option (nat * list position) :=
  match defences g p with
  | [] => None
  | ds => answer_all g p ds tokens
  end.

(** ** One position of a refutation *)

(** Whether the goal is reached with no further move of the attacker: [won] with 0 moves. *)
Definition reached_now (g : goal) (p : position) : bool :=
  stands_after_attack g p
  || match g with
     | Mate | Stalemate => false
     | _ => has_move p && forallb (fun d => stands_after_defence g (play p d)) (defences g p)
     end.

(** Whether the attacker reaches the goal with one move: [solvable] with 1 move. Few moves give check, so for mates this
    is looked at before the attacker's own king. *)
Definition solves_with (g : goal) (p : position) (m : move) : bool :=
  match g with
  | Mate => reached_now g (play p m) && is_safe p m
  | _ => is_safe p m && reached_now g (play p m)
  end.

Definition solvable_at_once (g : goal) (p : position) : bool :=
  negb (attacker_must_end g p) && existsb (solves_with g p) (pseudo_moves p).

(** Whether a position with the attacker to move and [k] moves left has no line. *)
Definition closed (g : goal) (k : nat) (p : position) : bool :=
  match k with
  | 0 => true
  | 1 => negb (solvable_at_once g p)
  | _ => negb (has_move p) || attacker_must_end g p
  end.

Definition reply_move (g : goal) (p : position) (n : name) : option move :=
  match find_move p n with
  | Some m => if is_defence g p m then Some m else None
  | None => None
  end.

Definition names_move (i : N) (r : reply) : bool :=
  match snd r with Some numbers => existsb (N.eqb i) numbers | None => false end.

Fixpoint first_reply (g : goal) (p : position) (replies : list reply) : option move :=
  match replies with
  | [] => None
  | (n, None) :: rest => match reply_move g p n with Some m => Some m | None => first_reply g p rest end
  | (_, Some _) :: rest => first_reply g p rest
  end.

(** The reply in position [p], after move number [i]. *)
Definition find_reply (g : goal) (p : position) (replies : list reply) (i : N) : option move :=
  match find (names_move i) replies with
  | Some (n, _) => reply_move g p n
  | None => first_reply g p replies
  end.

(** A reply of the defender in position [y], and what it opens with [k] moves left. *)
Definition after_reply (g : goal) (k : nat) (y : position) (d : move) : option (list position) :=
  let z := play y d in
  if stands_after_defence g z then None
  else if closed g k z then Some []
  else if Nat.leb k 1 then None
  else Some [z].

(** Position [y] after move number [i] of the attacker, with [k] moves left. *)
Definition refute_one (g : goal) (k : nat) (replies : list reply) (i : N) (y : position)
  : option (list position) :=
  if has_move y then
    match find_reply g y replies i with
    | Some d => after_reply g k y d
    | None => None
    end
  else if stands_after_attack g y then None else Some [].

(** All moves of the attacker that [counts] does not leave out. *)
Fixpoint refute_all (g : goal) (k : nat) (p : position) (counts : move -> bool) (replies : list reply)
  (i : N) (moves : list move) : option (list position) :=
  match moves with
  | [] => Some []
  | m :: rest =>
      match (if counts m then refute_one g k replies i (play p m) else Some []) with
      | Some opened =>
          match refute_all g k p counts replies (N.succ i) rest with
          | Some opened' => Some (opened ++ opened')
          | None => None
          end
      | None => None
      end
  end.
