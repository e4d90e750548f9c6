# instructor.mk: the targets of the whole lab that need solutions, lectures or the lab's own tests. The
# Makefile at the top includes it; the archive of `make dist` does not have it.

.PHONY: tour exercise class board test fuzz sanitize verify bench quiz inventory gain slides book dist bundle

tour: ## for instructors: the solution of the first exercise climbs its ladder on this machine; installs missing packages
	@checker/bin/setup --stages && checker/bin/summary stages $(first)

exercise: ## NAME=ex05_dot: writes the skeleton of a new exercise
	@checker/bin/exercise create "$(NAME)"

class: ## FROM=submissions TO=results: grade a class in a sandbox; DEADLINE, JOBS, EXERCISES and SEED change how
	@checker/bin/setup --class && bash -c 'source checker/bin/lab.bash && need_tools' && checker/class/class

board: ## DIR=shared/directory: a page that shows how far a room is; students set WARPUP_BOARD to the directory
	@checker/class/board

test: ## test the lab itself; installs missing packages
	@checker/bin/setup --test && checker/test/all

fuzz: ## SECONDS=60: libFuzzer tests the reader of PTX, the trace reader and the judge
	@checker/test/fuzz/fuzz $(or $(SECONDS),60)

sanitize: ## run the tests with AddressSanitizer, UBSan and valgrind; FILES="..." chooses some
	@checker/bin/setup --sanitize && checker/test/sanitize $(FILES)

verify: ## test all ladders: stage k reaches rung k and does not reach the next one
	@checker/bin/setup --stages && for exercise in $(complete); do solutions/stage $$exercise verify || exit; done

bench: ## time all stages on this machine, and what a check costs
	@checker/bin/setup --stages && for exercise in $(complete); do solutions/bench $$exercise || exit; done

quiz: ## ask the questions of the lectures; DECK=2 asks those of one deck
	@day1/quiz/quiz ask $(DECK)

inventory: ## ask the 20 questions of the concept inventory; STAGE=before or STAGE=after
	@day1/quiz/quiz inventory "$(STAGE)"

gain: ## draw what was known before and after; FILES="..." are the students' day1/build/inventory.tsv
	@day1/quiz/quiz gain $(FILES)

slides: ## build the lectures: slides/build/N-name.html and .pdf; installs missing packages
	@checker/bin/setup --slides && $(MAKE) -s -C slides

book: ## build the book of the lectures: slides/build/book/index.html; installs missing packages
	@checker/bin/setup --slides && $(MAKE) -s -C slides book

dist: ## make an archive for students, without solutions, lectures and the lab's own tests
	@checker/bin/dist

bundle: ## the same archive with the tools in it, for this kind of machine or MACHINE=aarch64; needs root and debootstrap
	@checker/bin/bundle $(MACHINE)
