"""A minimal xboard chess program: it plays the last legal move and resigns after four.

Its arguments are extra features to announce.
"""

import sys

import chess


def main() -> None:
    board = chess.Board()
    moves = 0
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "protover":
            print("feature ping=1 setboard=1 usermove=1 sigint=0 sigterm=0 colors=0", *sys.argv[1:], "done=1")
        elif words[0] == "ping":
            print(f"pong {words[1]}")
        elif words[0] == "new":
            board, moves = chess.Board(), 0
        elif words[0] == "setboard":
            board = chess.Board(" ".join(words[1:]))
        elif words[0] == "usermove":
            board.push_uci(words[1])
        elif words[0] == "go":
            moves += 1
            if moves > 4:
                print("resign")
            else:
                last = sorted(board.legal_moves, key=lambda move: move.uci())[-1]
                board.push(last)
                print(f"move {last.uci()}")
        elif words[0] == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
