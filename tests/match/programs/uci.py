"""A minimal UCI chess program: it plays the first legal move, or misbehaves as its argument says."""

import os
import signal
import sys
import time

import chess


def main() -> None:
    misbehaviour = sys.argv[1] if len(sys.argv) > 1 else ""
    board = chess.Board()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        if words[0] == "uci":
            print("id name first\noption name Style type combo default calm var calm var wild")
            print(
                "option name Skill type spin default 1 min 0 max 9\noption name Own Book type check default true\nuciok"
            )
        elif words[0] == "isready":
            print("readyok")
        elif words[0] == "position":
            moves = words.index("moves") if "moves" in words else len(words)
            board = chess.Board() if words[1] == "startpos" else chess.Board(" ".join(words[2:moves]))
            for move in words[moves + 1 :]:
                board.push_uci(move)
        elif words[0] == "go":
            late = len(board.move_stack) >= 4
            if late and misbehaviour == "die":
                os._exit(9)
            if late and misbehaviour == "kill":
                os.kill(os.getppid(), signal.SIGKILL)
            if late and misbehaviour == "cheat":
                print("bestmove e1e8")
            else:
                if late and misbehaviour == "dawdle":
                    time.sleep(0.5)
                legal = sorted(move.uci() for move in board.legal_moves)
                print(f"info depth 3 score cp 25 string {' '.join(words)}\nbestmove {legal[0]}")
        elif words[0] == "quit":
            break
        sys.stdout.flush()


if __name__ == "__main__":
    main()
