# summary.jq: a verdict in one line, after $name. $with is "devices": before it a line that names
# them; "next": after it what to do next; or "".

def left($width): . + " " * ([$width - length, 0] | max);
def right($width): " " * ([$width - length, 0] | max) + .;
def figure: if . >= 100 then round elif . >= 1 then . * 10 | round / 10
    else . * 1000 | round / 1000 end | tostring;

def device: if .kind == "simulated"
    then "the simulated GPU (\(.profile // .name | split("/") | last | rtrimstr(".tsv") | ascii_upcase) profile)" else .name end;

def rate: if .rate.value == null then "" else
    ("\(.rate.value | figure) \(.rate.unit)" | right(14)) +
    (if .share then "\(.share * 100 | figure) % of the limit" | right(22) else "" end) +
    ", \(.rate.how)" end;

(if $with == "devices" then "on " + ([.devices[] | device] | join(" and ")) + "\n" else empty end),
($name | left(22)) + (if .status == "could not check" then .status
    else "rung \(.rung) of \(.rungs)" + rate end),
(if $with == "next" then "    next: \(.next // "nothing, every rung is reached")" else empty end)
