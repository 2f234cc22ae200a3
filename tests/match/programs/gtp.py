"""A minimal GTP program: it plays the first point that is empty and then passes, or misbehaves as its argument says."""

import sys
import time

COLUMNS = "ABCDEFGHJKLMNOPQRST"


def main() -> None:
    misbehaviour = sys.argv[1] if len(sys.argv) > 1 else ""
    size, mine = 19, 0
    taken: set[str] = set()
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        command, arguments = words[0], words[1:]
        answer = "="
        if len(sys.argv) > 2:
            with open(sys.argv[2], "a") as file:
                file.write(line)
        if command == "protocol_version":
            answer = "= 1" if misbehaviour == "old" else "= 2"
        elif command == "boardsize":
            size = int(arguments[0])
            answer = "? unacceptable size" if misbehaviour == "small" else "="
        elif command == "clear_board":
            taken, mine = set(), 0
        elif command == "play":
            taken.add(arguments[1].upper())
        elif command == "genmove":
            mine += 1
            names = [f"{COLUMNS[x]}{y + 1}" for y in range(size) for x in range(size)]
            move = next((name for name in names if name not in taken), "PASS") if mine < 3 else "PASS"
            if mine == 2 and misbehaviour == "die":
                sys.exit(3)
            if mine == 2 and misbehaviour == "dawdle":
                time.sleep(0.5)
            if mine == 2 and misbehaviour == "resign":
                move = "resign"
            if mine == 2 and misbehaviour == "cheat":
                move = "Z99"
            taken.add(move)
            answer = "? no idea" if mine == 2 and misbehaviour == "refuse" else f"= {move}"
        elif command == "quit":
            print("=\n", flush=True)
            return
        print(f"# chatter\n{answer}\n", flush=True)


if __name__ == "__main__":
    main()
