(** The OCaml code of the checker. Only the types of [ExtrOcamlBasic] become types of OCaml: booleans, options, pairs
    and lists. Numbers and characters stay as they are in Coq. *)

Require Import ExtrOcamlBasic Extraction.
Require Import Board Moves Text Fen Format Checker.

Extraction Language OCaml.
Extraction "chess.ml" start step finish check sentence read_fen legal_moves play write_move.
