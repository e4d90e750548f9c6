#!/usr/bin/env bats
# class.bats: make class finds what was handed in, grades it once, goes on after its end, and writes results that are
# whole. class/sandbox-check takes the place of the sandbox; the last test uses the sandbox itself.
bats_require_minimum_version 1.5.0

setup() {
    load helper
    load class/fixture
    class_setup
}

@test "a folder per student, per exercise, archives, Moodle's and Canvas's names: all are found" {
    hand_in ann/axpy.cu 'rung 1'
    hand_in ben/ex01_axpy/axpy.cu 'rung 2'
    hand_in 'Jane Doe_12_assignsubmission_file_/axpy.cu' 'rung 3'
    hand_in 'Joe Doe_13_assignsubmission_file_axpy.cu' 'rung 4'
    hand_in 'Joe Doe_13_assignsubmission_onlinetext_/onlinetext.html' ''
    hand_in doejim_LATE_678_91011_axpy-1.cu 'rung 5'
    hand_in 'carl/axpy (1).cu' 'rung 6'
    hand_in 'work/lab/ex01_axpy/axpy.cu' 'rung 1' 'again'
    (cd "$FROM/work" && tar -czf ../dora.tar.gz lab && python3 -m zipfile -c ../doeeve_5_6_all.zip lab && python3 -m zipfile -c ../fay.zip lab)
    rm -r "$FROM/work"
    class
    diff - <(grades 1,3,4) <<'END'
Jane Doe_12,graded,3
Joe Doe_13,graded,4
ann,graded,1
ben,graded,2
carl,graded,6
doeeve_5,graded,1
doejim_678,graded,5
dora,graded,1
fay,graded,1
END
    [[ $(grep doejim "$TO/class.html") == *"handed in late, says Canvas"* ]]
}

@test "one archive of a whole class, with a folder around it, and one of a single student" {
    hand_in all/ann/axpy.cu 'rung 1'
    hand_in all/ben/ex01_axpy/axpy.cu 'rung 2'
    hand_in all/cleo/report.pdf '' # counts for nothing, but cleo is of the class
    hand_in all/list.csv ''
    (cd "$FROM" && python3 -m zipfile -c "$BATS_TEST_TMPDIR/class.zip" all && tar -C all/ben -cf "$BATS_TEST_TMPDIR/zoe.tar" .)
    FROM=$BATS_TEST_TMPDIR/class.zip class
    [ "$(grades 1,4 | paste -sd ' ')" = "ann,1 ben,2 cleo," ]
    FROM=$BATS_TEST_TMPDIR/zoe.tar TO=$BATS_TEST_TMPDIR/other class
    [ "$(sed 1d "$BATS_TEST_TMPDIR/other/grades.csv" | cut -d , -f 1,4)" = zoe,2 ]
}

@test "what is wrong with a file is reported for its student, and stops nobody" {
    hand_in ann/axpy.cu 'rung 5'
    mkdir "$FROM/bo" "$FROM"/{empty,large,binary,wide,twice,linked,pipe}
    : >"$FROM/empty/axpy.cu"
    head -c 1100000 /dev/zero | tr '\0' x >"$FROM/large/axpy.cu"
    head -c 500 /bin/sh >"$FROM/binary/axpy.cu"
    printf '\xff\xfei\0n\0t\0' >"$FROM/wide/axpy.cu"
    hand_in twice/a/axpy.cu 'rung 1'
    hand_in twice/b/axpy.cu 'rung 2'
    hand_in both/ex01_axpy/axpy.cu 'rung 3'
    hand_in both/old/axpy.cu 'rung 2'
    ln -s "$FROM/ann/axpy.cu" "$FROM/linked/axpy.cu"
    ln -s / "$FROM/root"
    mkfifo "$FROM/pipe/axpy.cu"
    printf 'PK\3\4 broken' >"$FROM/zed.zip"
    mkdir "$FROM/new"$'\n'"line" "$FROM/=1+1"
    class
    diff - <(grades 1,3-5) <<'END'
_1+1,missing,,0
ann,graded,5,10
binary,not text,,0
bo,missing,,0
both,graded,3,6
empty,empty,,0
large,too large,,0
linked,not readable,,0
new_line,missing,,0
pipe,not readable,,0
root,not readable,,0
twice,double,,
wide,not text,,0
zed,not readable,,0
END
    grep -q 'UTF-16' "$TO/students/wide/ex01_axpy.txt"
    grep -q 'different files: a/axpy.cu, b/axpy.cu' "$TO/students/twice/ex01_axpy.txt"
    grep -q 'not graded: old/axpy.cu' "$TO/students/both/ex01_axpy.txt"
    [ "$(wc -l <"$CALLS")" = 2 ]
}

@test "archives made to break out, to fill the memory or to hide a link do none of it" {
    python3 - "$FROM" <<'END'
import gzip, io, sys, tarfile, zipfile
def pack(name):
    return zipfile.ZipFile(f"{sys.argv[1]}/{name}.zip", "w", zipfile.ZIP_DEFLATED)
with pack("up") as z: z.writestr("../../axpy.cu", "x")
with pack("root") as z: z.writestr("/tmp/axpy.cu", "x")
with pack("bomb") as z: z.writestr("axpy.cu", b" " * (20 << 20))
with pack("many") as z:
    for i in range(20001): z.writestr(f"{i}", "")
with pack("link") as z:
    info = zipfile.ZipInfo("axpy.cu"); info.external_attr = 0o120777 << 16
    z.writestr(info, "/etc/passwd")
with pack("good") as z: z.writestr("axpy.cu", "// rung 2\n")
with tarfile.open(f"{sys.argv[1]}/tarlink.tar.gz", "w:gz") as t:
    info = tarfile.TarInfo("axpy.cu"); info.type = tarfile.SYMTYPE; info.linkname = "/etc/passwd"
    t.addfile(info)
with tarfile.open(f"{sys.argv[1]}/tarup.tar", "w") as t:
    info = tarfile.TarInfo("../axpy.cu"); info.size = 1
    t.addfile(info, io.BytesIO(b"x"))
info = tarfile.TarInfo("zeros"); info.size = 150 << 20
with open(f"{sys.argv[1]}/zeros.tgz", "wb") as f:
    f.write(gzip.compress(info.tobuf()) + 150 * gzip.compress(bytes(1 << 20)))
END
    (ulimit -v 1000000 && checker/class/class)
    diff - <(grades 1,3) <<'END'
bomb,too large
good,graded
link,not readable
many,too large
root,not readable
tarlink,not readable
tarup,not readable
up,not readable
zeros,too large
END
    grep -q 'unpacks to more than 128 MB' "$TO/students/zeros/ex01_axpy.txt"
    [ ! -e "$BATS_TEST_TMPDIR/axpy.cu" ]
}

# Programs of students who are over a budget in every way that there is, and of one after them.
@test "one budget per student holds for folders, zip and tar files, clones and a class in one archive" {
    python3 - "$FROM" "$BATS_TEST_TMPDIR/class.zip" <<'END'
import os, sys, tarfile, io, zipfile
big = b"/" * (1 << 20)
for name in ("a-zip", "b-tar", "c-folder"):
    files = [(f"{i}/axpy.cu", big) for i in range(18)]
    if name == "a-zip":
        with zipfile.ZipFile(f"{sys.argv[1]}/{name}.zip", "w", zipfile.ZIP_DEFLATED) as z:
            for path, data in files: z.writestr(path, data)
    elif name == "b-tar":
        with tarfile.open(f"{sys.argv[1]}/{name}.tgz", "w:gz") as t:
            for path, data in files:
                info = tarfile.TarInfo(path); info.size = len(data)
                t.addfile(info, io.BytesIO(data))
    else:
        for path, data in files:
            os.makedirs(f"{sys.argv[1]}/{name}/{os.path.dirname(path)}")
            open(f"{sys.argv[1]}/{name}/{path}", "wb").write(data)
with zipfile.ZipFile(sys.argv[2], "w", zipfile.ZIP_DEFLATED) as z:
    for path, data in files: z.writestr(f"all/ann/{path}", data)
    z.writestr("all/ben/axpy.cu", "// rung 2\n")
with zipfile.ZipFile(f"{sys.argv[1]}/d-lzma.zip", "w", zipfile.ZIP_LZMA) as z: z.writestr("axpy.cu", "x")
END
    hand_in z-good/axpy.cu 'rung 3'
    class
    [ "$(grades 1,3,4 | paste -sd ' ')" = "a-zip,too large, b-tar,too large, c-folder,too large, d-lzma,not readable, z-good,graded,3" ]
    grep -q 'the submission is too large: its programs have more than 16 MB' "$TO/grades.csv"
    FROM=$BATS_TEST_TMPDIR/class.zip TO=$BATS_TEST_TMPDIR/other class
    [ "$(sed 1d "$BATS_TEST_TMPDIR/other/grades.csv" | cut -d , -f 1,3,4 | paste -sd ' ')" = "ann,too large, ben,graded,2" ]
}

@test "no link, pipe or endless object in a clone reaches another student, or stops the class" {
    local name commit=(-c user.name=a -c user.email=a@b commit -qm one)
    export GIT_COMMITTER_DATE='2026-11-20 10:00 +0000'
    for name in owner thief pipe heavy; do
        hand_in "$name/axpy.cu" "rung 4"
        git -C "$FROM/$name" init -q
        git -C "$FROM/$name" add .
        git -C "$FROM/$name" "${commit[@]}"
        git -C "$FROM/$name" gc -q
    done
    rm -r "$FROM/thief/.git/objects/pack"
    ln -s ../../../owner/.git/objects/pack "$FROM/thief/.git/objects/pack"
    cp "$FROM/owner/.git/packed-refs" "$FROM/thief/.git/"
    rm "$FROM/pipe/.git/HEAD"
    mkfifo "$FROM/pipe/.git/HEAD"
    head -c 150000000 /dev/zero >"$FROM/heavy/zeros.cu"
    git -C "$FROM/heavy" -c core.bigFileThreshold=1g add zeros.cu
    { git -C "$FROM/heavy" cat-file -p HEAD | sed '/^$/q' && head -c 540000000 /dev/zero | tr '\0' x; } |
        git -C "$FROM/heavy" hash-object -t commit -w --stdin >"$BATS_TEST_TMPDIR/commit"
    cp "$BATS_TEST_TMPDIR/commit" "$FROM/heavy/.git/refs/heads/$(git -C "$FROM/heavy" branch --show-current)"
    rm "$FROM/heavy/zeros.cu"
    DEADLINE=2026-11-20 run -0 timeout 60 checker/class/class
    [ "$(grades 1,3,4 | paste -sd ' ')" = "heavy,too large, owner,graded,4 pipe,not readable, thief,not readable," ]
    grep -q 'objects/pack in its .git is not a regular file' "$TO/students/thief/ex01_axpy.txt"
    grep -q 'HEAD in its .git is not a regular file' "$TO/students/pipe/ex01_axpy.txt"
}

@test "a student may have any name: results are in folders of their own, cut at bytes, and distinct" {
    hand_in decisions.tsv/axpy.cu 'rung 1'
    hand_in .work-/axpy.cu 'rung 1'
    hand_in grades.csv/axpy.cu 'rung 2'
    python3 - "$FROM/long.zip" <<'END'
import sys, zipfile
with zipfile.ZipFile(sys.argv[1], "w") as z:
    for end in "ab": z.writestr(f"all/{chr(0x10348) * 100}{end}/axpy.cu", "// rung 3\n")
END
    mv "$FROM/long.zip" "$BATS_TEST_TMPDIR/long.zip"
    class
    [ "$(grades 1,4 | paste -sd ' ')" = "decisions.tsv,1 grades.csv,2" ]
    [ -f "$TO/decisions.tsv" ]
    rm -r "$TO/students/decisions.tsv"
    : >"$TO/students/decisions.tsv"
    class
    [[ $output == *"note: decisions.tsv: the results cannot be written: File exists"* ]]
    [ -f "$TO/students/grades.csv/ex01_axpy.html" ]
    FROM=$BATS_TEST_TMPDIR/long.zip TO=$BATS_TEST_TMPDIR/other class
    [ "$(find "$BATS_TEST_TMPDIR/other/students" -mindepth 1 -maxdepth 1 | wc -l)" = 2 ]
}

# Prints each student of EXPECTED (a name, a tab, a pattern) whose grades say something else.
wrong_grades() { # EXPECTED
    awk -F'\t' 'NR == FNR { split($0, cell, ","); got[cell[1]] = cell[3] "," cell[4] ","; next }
        got[$1] !~ "^(" $2 ")" { print $1 ": " got[$1] " instead of " $2 }' "$TO/grades.csv" "$1"
}

@test "no archive, clone, name or folder of class/attacks.py ends the class, escapes, or changes anybody's grade" {
    python3 checker/test/class/attacks.py "$FROM" >"$BATS_TEST_TMPDIR/expected"
    mkdir "$BATS_TEST_TMPDIR/packed" # the archive of a whole class
    cp -r "$FROM"/{nested.zip,many.tgz,search.tar,c-good,zzz} "$BATS_TEST_TMPDIR/packed/"
    (cd "$BATS_TEST_TMPDIR/packed" && python3 -m zipfile -c ../class.zip ./*)
    (ulimit -v 1500000 && DEADLINE=2026-11-20 checker/class/class)
    [ "$(wrong_grades "$BATS_TEST_TMPDIR/expected")" = "" ]
    [ "$(grades 1 | wc -l)" = "$(wc -l <"$BATS_TEST_TMPDIR/expected")" ]
    [ ! -e /tmp/warpup-attack ]
    WARPUP_READ_SECONDS=3 FROM=$BATS_TEST_TMPDIR/class.zip class
    [ "$(wrong_grades <(grep -E '^(search|nested|many|c-good|zzz)' "$BATS_TEST_TMPDIR/expected"))" = "" ]
}

@test "of a clone, the last commit before the deadline counts, and its settings run nothing" {
    local commit=(git -c user.name=a -c user.email=a@b -C "$FROM/ann" commit -qam)
    hand_in ann/ex01_axpy/axpy.cu 'rung 1'
    git -C "$FROM/ann" init -q
    git -C "$FROM/ann" add .
    GIT_COMMITTER_DATE='2026-11-20 10:00 +0000' "${commit[@]}" one
    hand_in ann/ex01_axpy/axpy.cu 'rung 2'
    GIT_COMMITTER_DATE='2026-11-20 18:30 +0000' "${commit[@]}" two
    hand_in ann/ex01_axpy/axpy.cu 'rung 3'
    git -C "$FROM/ann" config core.fsmonitor "touch $BATS_TEST_TMPDIR/ran"
    git -C "$FROM/ann" config core.pager "touch $BATS_TEST_TMPDIR/ran"
    git -C "$FROM/ann" config extensions.partialClone "ext::touch $BATS_TEST_TMPDIR/ran"
    hand_in ben/axpy.cu 'rung 4'
    DEADLINE='2026-11-20 12:00+00:00' class
    [ "$(grades 1,4 | paste -sd ' ')" = "ann,1 ben,4" ]
    DEADLINE=2026-11-20 class
    [ "$(grades 1,4 | paste -sd ' ')" = "ann,2 ben,4" ]
    DEADLINE=2026-11-19 class
    grep -q 'has no commit before the deadline' "$TO/students/ann/ex01_axpy.txt"
    class
    [ "$(grades 1,4 | paste -sd ' ')" = "ann,3 ben,4" ]
    [ ! -e "$BATS_TEST_TMPDIR/ran" ]
    DEADLINE=tomorrow class 2
    [[ $output == *"write 2026-11-20"* ]]
}

# How many checks are finished
finished() {
    find "$TO/.work/checks" -name check.json 2>/dev/null | wc -l
}

@test "killed ten times, it goes on, and checks nothing twice; nothing of the killed checks stays" {
    local name kills kept=0
    for name in {a..z}; do hand_in "$name/axpy.cu" 'rung 2' 'sleep 0.3'; done
    for ((kills = 0; kills < 10; kills++)); do
        checker/class/class 3>&- &
        until (($(finished) > kept)); do sleep 0.02; done
        kill -KILL $!
        wait $! || true
        kept=$(finished)
        [ ! -e "$TO/grades.csv" ]
        while pgrep -f "sandbox-check $TO" >/dev/null; do sleep 0.1; done
    done
    class
    [[ $output == *"$kept of 26 checks are done already"* ]]
    [ "$(sort "$CALLS" | uniq -c | awk '{ sum += $1 - 1 } END { print (sum <= 10 * 2) }')" = 1 ] # only those that were killed
    [ "$(grades 4 | sort | uniq -c | tr -s ' ')" = " 26 2" ]
    [ -z "$(ls -A "$TO/.work/tmp")" ]
    : >"$CALLS"
    class
    [ ! -s "$CALLS" ]
    SEED=8 class
    [ "$(wc -l <"$CALLS")" = 26 ]
}

@test "equal programs are checked once, with the seed that the first run has written down" {
    unset SEED
    hand_in ann/axpy.cu 'rung 2'
    cp -r "$FROM/ann" "$FROM/ben"
    class
    seed=$(jq .seed "$TO/class.json")
    [ "$(cut -d ' ' -f 2 "$CALLS")" = "$seed" ]
    hand_in ann/axpy.cu 'rung 3'
    class
    [ "$(cut -d ' ' -f 2 "$CALLS" | paste -sd ' ')" = "$seed $seed" ]
    [ "$(grades 1,4 | paste -sd ' ')" = "ann,3 ben,2" ]
}

@test "a check that the submission ends costs this exercise; one that the machine ends is tried again, alone, and said" {
    hand_in ann/axpy.cu 'exit 1' 'seen used more than 4 GB of memory'
    hand_in ben/axpy.cu 'exit 2'
    hand_in cat/axpy.cu 'status could not check'
    hand_in cleo/axpy.cu 'status could not check' 'exit 1'
    hand_in dan/axpy.cu 'rung 2' 'seen tried to open a socket'
    class 1
    [[ $output == *"could not do 1 checks"*"there is no room"* ]]
    diff - <(grades 1,3-5,12) <<'END'
ann,no verdict,,0,used more than 4 GB of memory
ben,not checked,,,this machine could not check it: there is no room
cat,could not check,,,it does not know X
cleo,could not check,,,it does not know X
dan,graded,2,4,tried to open a socket
END
    [ "$(grep -c . "$CALLS")" = 6 ]
    rm -rf "${FROM:?}"/* "$CALLS.beside"
    hand_in ann/axpy.cu 'exit 2' 'sleep 0.3'
    hand_in ben/axpy.cu 'exit 2' 'sleep 0.4'
    JOBS=2 class 1
    [ ! -e "$CALLS.beside" ] || [ "$(wc -l <"$CALLS.beside")" -le 1 ]
    hand_in ann/axpy.cu 'exit 3'
    class 3
    [[ $output == *"there is no room"*"UNSAFE=1"* ]]
}

@test "a measured rate within 3 % under a floor is measured once more; the better one counts" {
    hand_in near/axpy.cu 'rung 4' 'how measured' 'share 0.49' 'again 0.51'
    hand_in same/axpy.cu 'rung 4' 'how measured' 'share 0.49' 'again 0.48'
    hand_in far/axpy.cu 'rung 4' 'how measured' 'share 0.47' 'again 0.9'
    hand_in model/axpy.cu 'rung 4' 'share 0.49' 'again 0.9'
    class
    diff - <(grades 1,4,7,9,10) <<'END'
far,4,1993,measured,0.47
model,4,2078,modelled,0.49
near,5,2162,measured,0.51
same,4,2078,measured,0.49
END
    [ "$(grep -c . "$CALLS")" = 6 ]
    grep -q 'Some rates are modelled and some are measured' "$TO/class.html"
    grep -q '>rung 5</text>' "$TO/class.html"
}

@test "an undecided rung has the share of its points that the instructor chooses" {
    hand_in ann/axpy.cu 'rung 4' 'undecided 5'
    class
    [ "$(grades 4,5)" = 4,8 ]
    grep -q 'a GPU has to decide whether it reaches rung 5' "$TO/students/ann/ex01_axpy.txt"
    sed -i 's/^ex01_axpy\tundecided\t0$/ex01_axpy\tundecided\t0.5/' "$TO/points.tsv"
    class
    [ "$(grades 4,5)" = 4,9 ]
    [[ $output == *"a GPU has to decide a rung of "* ]]
    grep -q 'a GPU has to decide whether' "$TO/class.html"
    sed -i 's/undecided\t0.5$/undecided\t2/' "$TO/points.tsv"
    class 2
    [[ $output == *"after undecided, at most 1"* ]]
}

@test "the instructor's points count, and change no check" {
    hand_in ann/axpy.cu 'rung 4'
    class
    [ "$(grades 5,6)" = 8,10 ]
    sed -i 's/^ex01_axpy\t4\t8$/ex01_axpy\t4\t8.5/' "$TO/points.tsv"
    class
    [ "$(grades 5,6)" = 8.5,10 ]
    [ "$(wc -l <"$CALLS")" = 1 ]
    run -1 grep ann "$TO/decisions.tsv"
    sed -i 's/^ex01_axpy\tof\t10$/ex01_axpy\tof\t60/' "$TO/points.tsv"
    class
    [ "$(grades 5,6)" = 8.5,60 ]
    sed -i '/\tof\t/d' "$TO/points.tsv"
    EXERCISES='ex01_axpy ex02_rot' class
    [ "$(grades 5,6 | paste -sd ' ')" = "8.5,10 0,10" ]
    grep -qx $'ex02_rot\t1\t5' "$TO/points.tsv"
    hand_in ben/axpy.cu 'status could not check'
    class
    [[ $(grades 1,5 | tail -n 1) == ben, ]]
    grep -q '>ben</td>.*>0 + ?<' "$TO/class.html"
    [[ $output == *"2 students, programs: 1 graded, 0 not handed in, 1 waiting for your decision"*"decisions.tsv   write your points"* ]]
    grep -q '>Your decision<' "$TO/class.html"
    class
    [ "$(grep -c $'^ben\tex01_axpy\t$' "$TO/decisions.tsv")" = 1 ]
    sed -i $'s/^ben\tex01_axpy\t$/&7/' "$TO/decisions.tsv"
    printf 'ann\tex01_axpy\t9\n' >>"$TO/decisions.tsv"
    class
    [ "$(grades 1,5 | paste -sd ' ')" = "ann,9 ben,7" ]
    grep -q 'the instructor has decided its points' "$TO/students/ben/ex01_axpy.txt"
    grep -q '>To look at<' "$TO/class.html"
    run -1 grep '>Your decision<' "$TO/class.html"
    printf 'ann\tex01_axpy\t9,5\n' >>"$TO/decisions.tsv"
    class
    [ "$(grades 1,5 | paste -sd ' ')" = "ann,9.5 ben,7" ]
    printf 'b?n\tex01_axpy\t6\n' >>"$TO/decisions.tsv" # as a spreadsheet writes a letter that its alphabet lacks
    class
    [ "$(grades 1,5 | paste -sd ' ')" = "ann,9.5 ben,6" ]
    hand_in ann/axpy.cu 'rung 5'
    class
    [ "$(grades 1,4,5 | paste -sd ' ')" = "ann,5,9.5 ben,,6" ]
    [[ $output == *"ann has handed in another ex01_axpy since its points were decided; they still count"* ]]
    printf 'ann\tex01_axpy\t99\n' >>"$TO/decisions.tsv"
    class
    [[ $output == *"note: decisions.tsv: ann has 99 points for ex01_axpy, more than its 10"* ]]
    printf 'ann\tex01_axpy\t-1\n' >>"$TO/decisions.tsv"
    class 2
    sed -i '$d' "$TO/decisions.tsv"
    echo 'ben ex01_axpy' >>"$TO/decisions.tsv"
    class 2
    [[ $output == *"decisions.tsv, line 9: it has to be a student, an exercise and points, 0 or more, with tabs; it is ben ex01_axpy"* ]]
    echo 'ex01_axpy four 3' >>"$TO/points.tsv"
    class 2
    [[ $output == *"points.tsv, line 21: it has to be an exercise, a rung and points, 0 or more"* ]]
}

@test "tables that a spreadsheet has saved are read: alphabets, marks, line ends, semicolons, commas" {
    local name=Jörg_5 form
    hand_in "$name/axpy.cu" 'status could not check'
    hand_in ann/axpy.cu 'rung 4'
    class
    cp "$TO/points.tsv" "$BATS_TEST_TMPDIR/points"
    cp "$TO/decisions.tsv" "$BATS_TEST_TMPDIR/decisions"
    for form in UTF-8:tab LATIN1:semicolon UTF-16:tab UTF-16LE:semicolon UTF-8:comma marked:semicolon; do
        python3 - "$BATS_TEST_TMPDIR" "$TO" "${form%:*}" "${form#*:}" <<'END'
import csv, io, sys
kept, to, encoding, separator = sys.argv[1:]
separator = {"tab": "\t", "semicolon": ";", "comma": ","}[separator]
encoding = "utf-8-sig" if encoding == "marked" else encoding
for name in ("points", "decisions"):
    rows = [line.split("\t") for line in open(f"{kept}/{name}", encoding="utf-8").read().splitlines()]
    if name == "decisions": rows[-1][2] = "7,5"
    else: rows = [[*row[:2], "8,5"] if row[:2] == ["ex01_axpy", "4"] else row for row in rows]
    text = io.StringIO()
    csv.writer(text, delimiter="\t" if name == "points" and separator == "," else separator).writerows(
        row + [""] * (3 - len(row)) for row in rows)
    open(f"{to}/{name}.tsv", "w", encoding=encoding, newline="").write(text.getvalue())
END
        class
        [ "$(grades 1,5 | paste -sd ' ')" = "$name,7.5 ann,8.5" ]
    done
    hand_in ben/axpy.cu 'status could not check'
    class
    grep -q '^ben;ex01_axpy;' "$TO/decisions.tsv"
    [ "$(grades 1,5 | paste -sd ' ')" = "$name,7.5 ann,8.5 ben," ]
    sed 's/;8,5/;6/' "$TO/points.tsv" >"$TO/points.csv" # under its own name for a table, which is the newest then
    touch -d 'next minute' "$TO/points.csv"
    class
    [[ $output == *"points.csv counts, which is newer than points.tsv"* && $(grades 1,5) == *ann,6* ]]
    [[ $output == *"/decisions.tsv   write your points there"*"change points.csv beside it"* ]]
    cp "$TO/decisions.tsv" "$TO/decisions.csv"
    touch -d 'next minute' "$TO/decisions.csv"
    class
    [[ $output == *"/decisions.csv   write your points there"* ]]
    grep -q 'your points into decisions.csv' "$TO/class.html"
    rm "$TO/decisions.csv"
    printf 'ann;ex01_axpy;8. May\n' >>"$TO/decisions.tsv"
    class 2
    [[ $output == *"decisions.tsv, line 6: it has to be a student"* ]]
}

@test "the tables for Gradescope and JUnit have what these programs need" {
    hand_in ann/axpy.cu 'rung 4' 'share 0.1' 'diagnosis few-blocks 2'
    mkdir "$FROM/ben"
    hand_in cleo/axpy.cu 'rung 4' 'diagnosis no-kernel 0'
    class
    jq -e '.score == 8 and .tests[0].max_score == 10 and .tests[0].visibility == "visible" and .tests[0].output == "rung 4\n"
        and .leaderboard[0].value == 10 and (.leaderboard[0].name | contains("modelled"))' "$TO/students/ann/results.json"
    jq -e '.tests[0].score == 0' "$TO/students/ben/results.json"
    jq -e -f "$TOP/checker/test/class/gradescope.jq" "$TO"/students/{ann,ben}/results.json
    python3 - "$TO/junit.xml" <<'END'
import sys, xml.etree.ElementTree as xml
suites = xml.parse(sys.argv[1]).getroot()
ann, ben, cleo = suites
assert suites.tag == "testsuites" and ann.get("tests") == "2" and ann.get("failures") == "1", ann.attrib
assert ann.find("testcase/failure").text == "axpy.cu:2: a <text>"
assert cleo.find("testcase/failure").text == "a <text>" # its diagnosis is of no line
assert ben.get("skipped") == "1" and ben.find("testcase/skipped") is not None
END
    python3 "$TOP/checker/test/class/junit.py" "$TO/junit.xml"
    grep -q 'few-blocks line 2' "$TO/grades.csv"
    grep -q '<mark>    2  // share 0.1</mark>' "$TO/students/ann/ex01_axpy.html"
}

@test "pages load nothing, and what a student writes is only text in them" {
    hand_in 'a<script>b/axpy.cu' 'rung 1' 'seen <script>alert(1)</script>' 'diagnosis leak 1'
    hand_in ben/axpy.cu 'rung 1' 'diagnosis leak 1'
    class
    grep -qE 'class="soft">(Nothing is known about its rate|Its results were right).* inputs of this check' "$TO/students/ben/ex01_axpy.html"
    run -1 grep -rlE '<script|https?:|src=|url\(' "$TO" --include='*.html'
    grep -q '&lt;script&gt;alert' "$TO/class.html"
    run -1 grep -l ben "$TO"/students/a_script_b/*
}

@test "a single program with another name counts if only one exercise is graded; else it needs a decision" {
    hand_in ann/axpy.cu 'rung 5'
    hand_in ben/solution_final.cu 'rung 3'
    hand_in cat/one.cu 'rung 1'
    hand_in cat/two.cu 'rung 2'
    hand_in dan/a/b/c/far.cu 'rung 2'
    class
    [ "$(grades 1,3-5 | paste -sd ' ')" = "ann,graded,5,10 ben,graded,3,6 cat,misnamed,, dan,missing,,0" ]
    grep -q 'solution_final.cu was taken as axpy.cu' "$TO/class.html"
    grep -q 'no axpy.cu was handed in, but one.cu, two.cu' "$TO/class.html"
    [ -e "$TO/decisions.tsv" ]
    hand_in eve/ex02_rot/mine.cu 'rung 2'
    hand_in eve/axpy.cu 'rung 1'
    hand_in fay/my_axpy_final.cu 'rung 4'
    EXERCISES='ex01_axpy ex02_rot' class
    [[ $(grades 1-4) == *"fay,ex01_axpy,graded,4"*"fay,ex02_rot,missing,"* ]]
    [[ $(grades 1-4) == *"eve,ex01_axpy,graded,1"* && $(grades 1-4) == *"eve,ex02_rot,graded,2"* ]]
    [[ $(grades 1-4) == *"ben,ex01_axpy,misnamed,"* ]]
    EXERCISES=ex02_rot class # ann's axpy.cu is not rot.cu
    [[ $(grades 1-4) == *"ann,ex02_rot,missing,"* && $(grades 1-4) == *"fay,ex02_rot,missing,"* ]]
}

@test "only what somebody has handed in is graded, unless EXERCISES says more" {
    hand_in ann/rot.cu 'rung 2'
    mkdir "$FROM/ben"
    echo damaged >"$FROM/cat.zip"
    EXERCISES='' class
    [ "$(grades 1-3 | paste -sd ' ')" = "ann,ex02_rot,graded ben,ex02_rot,missing cat,ex02_rot,not readable" ]
    [[ $output == *"not handed in by ben"* ]]
    [ "$(jq -c .exercises "$TO/class.json")" = '["ex02_rot"]' ]
}

@test "a student's first diagnosis is that of the criterion that failed first" {
    hand_in ann/axpy.cu 'rung 2' 'failed threads' 'diagnosis few-blocks 2'
    class
    [ "$(grades 11)" = 'not yet: threads' ]
}

@test "students who are not in FROM any more leave the results, which is said, and come back without new checks" {
    hand_in ann/axpy.cu 'rung 4'
    hand_in ben/axpy.cu 'rung 2'
    class
    mkdir "$BATS_TEST_TMPDIR/one"
    cp -r "$FROM/ben" "$BATS_TEST_TMPDIR/one"
    FROM=$BATS_TEST_TMPDIR/one class
    [[ $output == *"note: 1 student of the last run, not in FROM any more, left the results: ann."* ]]
    class
    [ "$(grades 1,4 | paste -sd ' ')" = "ann,4 ben,2" ]
    [ "$(wc -l <"$CALLS")" = 2 ]
}

@test "names in a zip file are read as UTF-8 if they can be" {
    python3 - "$BATS_TEST_TMPDIR/class.zip" <<'END'
import sys, zipfile
class Unmarked(zipfile.ZipInfo):
    def _encodeFilenameFlags(self):
        return self.filename.encode("utf-8"), self.flag_bits & ~0x800
with zipfile.ZipFile(sys.argv[1], "w") as z:
    z.writestr(Unmarked("Søren Müller/axpy.cu"), "// rung 2\n")
    z.writestr("Zoë/axpy.cu", "// rung 3\n")
END
    FROM=$BATS_TEST_TMPDIR/class.zip class
    [ "$(grades 1,4 | paste -sd ' ')" = "Søren Müller,2 Zoë,3" ]
}

@test "what is wrong with the call is one line, and exit code 2" {
    FROM='' class 2
    [[ $output == *"it needs FROM and TO"* ]]
    FROM=$BATS_TEST_TMPDIR/none class 2
    [[ $output == *"there is no such folder or file"* ]]
    class 2
    [[ $output == *"nothing that a student has handed in"* ]]
    hand_in ann/axpy.cu 'rung 4'
    EXERCISES=ex99 class 2
    [[ $output == *"there are: ex01_axpy"* ]]
    EXECUTOR=cloud class 2
    GPU=real class 2
    [[ $output == *"JOBS=2: timed runs have to be alone on the GPU"* ]]
    TO=$FROM/results class 2
    TO=$FROM class 2
    [[ $output == *"TO is FROM or a folder in it"* ]]
    TO=$FROM/results class 2
    [ "$(printf '%s\n' "$output" | wc -l)" = 1 ]
    mkdir -p "$TO/.work"
    exec 9>"$TO/.work/lock"
    flock 9
    class 2
    [[ $output == *"another make class is writing there"* ]]
}

@test "in the sandbox, a program gets the rung of its stage, and another run gives the same grades, byte for byte except the seconds" {
    unset WARPUP_SANDBOX_CHECK
    make -s -j"$(nproc)" -f checker/lab.mk
    mkdir "$FROM"/{ann,ben} "$BATS_TEST_TMPDIR/board"
    solutions/stage ex01_axpy print 4 >"$FROM/ann/axpy.cu"
    cp ex01_axpy/checker/starter.cu "$FROM/ben/axpy.cu"
    VIEW=1 WARPUP_BOARD=$BATS_TEST_TMPDIR/board run checker/class/class
    [[ $status != 3 ]] || skip "there is no sandbox here: $output"
    [ "$status" = 0 ]
    [ "$(grades 1,3-5 | paste -sd ' ')" = "ann,graded,4,8 ben,graded,0,0" ]
    grep -q 'href="ex01_axpy.view.html"' "$TO/students/ann/ex01_axpy.html"
    grep -q 'gpu_axpy' "$TO/students/ann/ex01_axpy.view.html"
    grep -q 'rung 4 of 7' "$TO/students/ann/ex01_axpy.txt"
    grep -q 'few-blocks' "$TO/class.html"
    [ -z "$(ls -A "$TO/.work/tmp")" ]
    [ -z "$(ls -A "$BATS_TEST_TMPDIR/board")" ]
    run -1 pgrep -f "$TO/.work"
    rows=$(grades 1-12)
    TO=$BATS_TEST_TMPDIR/other JOBS=1 class
    diff - <(TO=$BATS_TEST_TMPDIR/other grades 1-12) <<<"$rows"
}
