# verdict.jq: turns verdict.json into lines that bash can source (criteria.bash, formatter).
# $ladder is the text of the exercise's ladder.tsv.

def figure: if . == null then "" elif . >= 100 then round elif . >= 1 then . * 10 | round / 10
    else . * 1000 | round / 1000 end | tostring;
def text: if . == null then "" else tostring end;
def variable($name): "\($name)=\(text | @sh)";
def array($name): "\($name)=(\(map(text | @sh) | join(" ")))";
def device: if .kind == "simulated"
    then "simulated GPU (\((.profile // .name | sub("^NVIDIA "; ""))) profile)" else .name end;

# What each criterion measures, by its id.
($ladder | [splits("\n") | split("\t") | select(length > 2) | {(.[1]): .[2]}] | add) as $measure

# The failed criterion that a diagnosis explains: speed's belong to their own, which may still wait;
# all others to the first that failed.
| [.criteria[] | select(.passed == false) | .id] as $failed
| def explains: {
        "watch-stopped-early": ["watch", "watch_excess"],
        "printed-figure": ["watch", "watch_excess"],
        "uncoalesced-access": ["sectors"]
    }[.name] as $measures
    | [$failed[] | select($measures == null or (.  as $id | $measures | index($measure[$id])))]
    | first;

(.source | variable("SOURCE")),
(.status | variable("STATUS")),
(.rung | variable("RUNG")),
(.rungs | variable("RUNGS")),
(.next | variable("NEXT")),
([.devices[]? | device] | join(" + ") | variable("DEVICES")),
(.rate.value | figure | variable("RATE")),
(.rate.unit | variable("UNIT")),
(.rate.how | variable("HOW")),
(.limit.value | figure | variable("LIMIT")),
([.criteria[].id] | array("CRITERION_ID")),
([.criteria[].text] | array("CRITERION_TEXT")),
([.criteria[].passed | if . == null then "null" else . end] | array("CRITERION_PASSED")),
([.criteria[].seen] | array("CRITERION_SEEN")),
([.criteria[].needed] | array("CRITERION_NEEDED")),
([.criteria[].after] | array("CRITERION_AFTER")),
([.criteria[].why] | array("CRITERION_WHY")),
([.diagnoses[] | explains] | array("DIAGNOSIS_CRITERION")),
([.diagnoses[] | if .line then "\(.file):\(.line)" else .file end] | array("DIAGNOSIS_PLACE")),
([.diagnoses[].code] | array("DIAGNOSIS_CODE")),
([.diagnoses[].text] | array("DIAGNOSIS_TEXT")),
(.notes // [] | array("NOTES"))
