# verdict.jq: turns verdict.json into lines that bash can source: for the tests of check.bats, what
# became of each criterion by its id; for the formatter, the words. $ladder is the exercise's
# ladder.tsv.

def figure: if . == null then "" elif . >= 100 then round elif . >= 1 then . * 10 | round / 10
    else . * 1000 | round / 1000 end | tostring;
def text: if . == null then "" else tostring end;
def variable($name): "\($name)=\(text | @sh)";
def array($name): "\($name)=(\(map(text | @sh) | join(" ")))";
def table($name): "declare -gA \($name)=(\(map("[\(.key)]=\(.value | text | @sh)") | join(" ")))";

def device: if .kind == "simulated"
    then "simulated GPU (\(.profile // .name | split("/") | last | rtrimstr(".tsv") | ascii_upcase) profile)" else .name end;
def place: if .line then "\(.file):\(.line)" else .file end;

# What each criterion measures, by its id: a list, for there may be several ways to pass it.
(reduce ($ladder | splits("\n") | split("\t") | select(length > 2)) as $row ({};
    .[$row[1]] += [$row[2]])) as $asked

# The failed criterion that a diagnosis explains: speed's belong to their own, which may still wait;
# all others to the first that failed.
| [.criteria[] | select(.passed == false) | .id] as $failed
| def explains: {
        "watch-stopped-early": ["timer", "timer_excess"],
        "printed-figure": ["timer", "timer_excess"],
        "uncoalesced-access": ["sectors", "load_sectors"],
        "bank-conflict": ["wavefronts"]
    }[.name] as $measures
    | [$failed[] | select($measures == null or any($asked[.][]; IN($measures[])))]
    | first;
[.diagnoses[] | . + {criterion: explains}] as $diagnoses
| (.criteria | map({key: .id, value: .text}) | from_entries) as $texts

| ([.criteria[] | {key: .id, value: (if .passed == null then "null" else .passed end)}]
    | table("PASSED")),
([.criteria[] | select(.passed == null) | {key: .id, value:
    (if .after then "waits for: \($texts[.after])" else "could not check: \(.why // .seen)" end)}]
    | table("WAITS")),
([.criteria[] | select(.passed == false) | .id as $id | {key: $id, value:
    ([(.seen // empty | "seen: \(.)"), (.needed // empty | "needed: \(.)"),
      ($diagnoses[] | select(.criterion == $id) | (place | if . then "\(.): " else "" end) + .text)]
    | join("\n"))}] | table("EXPLAINS")),

(.source | variable("SOURCE")),
(.status | variable("STATUS")),
(.rung | variable("RUNG")),
(.rungs | variable("RUNGS")),
(.next | variable("NEXT")),
([(.devices | if length > 0 then .[] else {kind: "simulated", name: (env.WARPUP_PROFILE // "")} end)
    | device] | join(" + ") | variable("DEVICES")),
(.rate.value | figure | variable("RATE")),
(.rate.unit | variable("UNIT")),
(.rate.how | variable("HOW")),
(.limit.value | figure | variable("LIMIT")),
(.notes // [] | array("NOTES")),
([.criteria[].id] | array("CRITERION_ID")),
([.criteria[].text] | array("CRITERION_TEXT")),
([.criteria[].seen] | array("CRITERION_SEEN")),
([.criteria[].needed] | array("CRITERION_NEEDED")),
([.criteria[].after] | array("CRITERION_AFTER")),
([.criteria[] | .why // .seen] | array("CRITERION_WHY")),
([$diagnoses[].criterion] | array("DIAGNOSIS_CRITERION")),
([$diagnoses[] | place] | array("DIAGNOSIS_PLACE")),
([$diagnoses[].code] | array("DIAGNOSIS_CODE")),
([$diagnoses[].text] | array("DIAGNOSIS_TEXT")),
([$diagnoses[] | if .explain then .name else null end] | array("DIAGNOSIS_PAGE"))
