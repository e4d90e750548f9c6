# verdict.jq: turns verdict.json into lines that bash can source (criteria.bash, formatter).

def figure: if . == null then "" elif . >= 100 then round elif . >= 1 then . * 10 | round / 10
    else . * 1000 | round / 1000 end | tostring;
def text: if . == null then "" else tostring end;
def variable($name): "\($name)=\(text | @sh)";
def array($name): "\($name)=(\(map(text | @sh) | join(" ")))";
def device: if .kind == "simulated"
    then "simulated GPU (\(.name | sub("^NVIDIA "; "")) profile)" else .name end;

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
([.diagnoses[].criterion] | array("DIAGNOSIS_CRITERION")),
([.diagnoses[].file] | array("DIAGNOSIS_FILE")),
([.diagnoses[].line] | array("DIAGNOSIS_LINE")),
([.diagnoses[].text] | array("DIAGNOSIS_TEXT")),
(.notes // [] | array("NOTES"))
