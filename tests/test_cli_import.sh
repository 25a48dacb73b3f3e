#!/usr/bin/env bash
# detent import: what becomes of robots, what is refused and where, options, files. Usage: test_cli_import.sh DETENT
# shellcheck source=tests/support_cli.sh
robots=$(cd "$(dirname "$0")/import" && pwd)
source "$(dirname "$0")/support_cli.sh"

# has TEXT: a line of the last result is that.
has() { ok "a line '$1'" grep -qxF -- "$1" result.yaml; }
has_no() { ok "no '$1'" not grep -qF -- "$1" result.yaml; }

# imported FILE [OPTION]...: is a mechanism that runs.
imported() {
    code 0 import "$@" -o result.yaml
    cp .err notes
    code 0 check result.yaml -q
    code 0 run result.yaml -q -o table.csv
}
noted() { ok "a note '$1'" grep -qF -- "$1" notes; }

# refused TEXT PLACE MESSAGE: it is not imported, and the place and the reason are told.
refused() {
    printf '%s' "$1" >bad.xml
    code 2 import bad.xml -o never.yaml
    said "bad.xml:${2:+$2: error: }"
    said "$3"
    ok "no result" not test -e never.yaml
}

# near COLUMN VALUE TOLERANCE: a number in the last row of the table.
near() {
    ok "column $1 is near $2" awk -F, -v c="$1" -v want="$2" -v by="$3" \
        'END { d = $c - want; exit !(d <= by && -d <= by) }' table.csv
}

section "URDF"
imported "$robots/features.urdf"
has "  _1_arm:    # '1-arm'"
has "    mass: 1.5"
has "    initial: {position: 0.2}"
has "    stops: {lower: {at: 0.2}, upper: {at: 2}}"
has "    damping: 0.2"
has '  turn: {kinetic: 0.5, static: 0.5, external: "turn_effort"}'
has "  turn_effort: 0    # force or torque, turn"
ok "what is fixed is a point" grep -q "^  tool: {body: _1_arm, at: {point: \[0.3, 0, 0\], rotation: " result.yaml
noted "features.urdf:11: note: 'effort' of <limit> is left out, here and once more"
noted "features.urdf:11: note: joint 'turn' starts at its limit: 0 is beyond it"
noted "features.urdf: note: 0.2 kg stand on the ground"
noted "features.urdf: note: 2 of 3 joints have no friction"
ok "notes are in the file, too" grep -q "^#   line 11: 'effort' of <limit> is left out" result.yaml

imported "$robots/features.urdf" --without friction,limits,damping,actuators
for word in stiction stops damping inputs; do has_no "$word:"; done
has_no "initial:"
imported "$robots/features.urdf" --without friction
has '    force: "turn_effort"'
code 1 import "$robots/features.urdf" --without friction,limit
said "'limit' is not one of limits, friction, damping, armature, actuators"

imported "$robots/features.urdf" --base floating
ok "on a free joint" grep -q "^    type: free" result.yaml
near 2 2 2 # it falls, and joints stay within their limits

section "joints together, names"
imported "$robots/together.urdf"
has 'name: "déjà    vu: {\"x\"}"'
has "  ______:    # 'корпус'"
has "  motor_side_2:    # 'motor-side'"
has "  ground_2:    # 'ground'"
has "  true_2:    # 'true'"
has "    stops: {lower: {at: 0.25}, upper: {at: 1.75}}"
has "  knee_follows: {type: gear, joints: [knee, base], ratio: -2}"
has "  toe_follows: {type: differential, joints: [toe, base], factors: [1, 1]}"
noted "joint 'knee' follows 'base', whose limits are 0.25 and 1.75 for that"
noted "joint 'glide' is planar: <limit>, <dynamics> and <mimic> of it are left out"
noted "joint 'free' has six freedoms: of limits, friction, armature, stiffness and damping it keeps none"
# knee = -2 base + 0.5, toe = 0.5 knee + 0.1
ok "they follow" awk -F, 'NR > 1 { k = $6 + 2*$2 - 0.5; t = $7 - 0.5*$6 - 0.1; if (k*k + t*t > 1e-20) exit 1 }' table.csv
imported "$robots/together.urdf" --base fixed
has_no "type: free"
imported "$robots/together.urdf" --base floating
has "  base_2:    # 'base'"

printf '<robot><link name="a"><inertial><mass value="1"/></inertial></link></robot>' >point.urdf
"$detent" import - <point.urdf >.out 2>.err
exited 0 $? "a robot that stands on the ground"
said "<stdin>:1: note: "
said "the mechanism has no body"
said "link 'a' has a mass and no <inertia>: it is a point"

section "MJCF"
imported "$robots/features.xml"
has 'name: "features & \"more\""'
has "gravity: [0.5, -1, -9.5]"
has '    force: "12*push"'
has '  wrist: {kinetic: 0.2, static: 0.2, external: "max(-4, min(5, 30*(aim - position(wrist)) - 2*velocity(wrist)))"}'
has "    stops: {lower: {at: -1.5707963267948966}, upper: {at: 1.3962634015954636}}"
noted "features.xml: note: bodies do not touch: 8 geoms are there to be looked at, if at all"
noted "features.xml: note: 1 of the geoms are left out: planes, height fields and what is transparent"
has "    - {capsule: {radius: 0.01, length: 0.4}, at: [0, 0, 0.2]}"
imported "$robots/features.xml" --base fixed
has_no "type: free"
imported "$robots/features.xml" --without armature,actuators
for word in armature: force: external:; do has_no "$word"; done

imported "$robots/features.xml" --keyframe posed
has "    initial: {position: 0.1}"
has "    initial: {position: {quaternion: [0.6, 0.8, 0, 0]}}"
has "      p3: {initial: {position: 3}}"
has "      s1: {initial: {position: {quaternion: [0, 1, 0, 0]}}}"
has "  aim: 0.3    # where to, wrist"
ok "nothing is said of keyframes" not grep -qF "<keyframe>" notes
imported "$robots/features.xml" --keyframe posed --base fixed
has "    initial: {position: 0.5}"
code 2 import "$robots/features.xml" --keyframe home
said "there is no keyframe 'home'"
sed -e '/<keyframe>/a <key name="short" qpos="0.5"/>' -e '/<keyframe>/a <key name="turned" qpos="0 0 0 0  0 0 0 0  0 0 0 1 0 0 0"/>' "$robots/features.xml" >keys.xml
code 2 import keys.xml --keyframe short
said "keys.xml:49:1: error: qpos of <key> has 1 numbers, and the joints have 15"
code 2 import keys.xml --keyframe turned
said "keys.xml:50:1: error: <key> 'turned': a quaternion in its qpos is zero"
code 2 import "$robots/features.urdf" --keyframe home
said "a URDF file has no keyframe 'home'"

imported "$robots/four_bar.xml"
code 0 check result.yaml
printed "mobility             1"
# |pin of the coupler - pin of the rocker| of the positions of crank, coupler and rocker; both turn in the plane
ok "the loop stays closed, and it moves" awk -F, '
    NR > 1 {
        a = -$2; b = a + $3; c = -$4
        x = 0.2*sin(a) + 0.4*cos(b) + 0.1*sin(b) - 0.4 - 0.3*sin(c)
        z = 0.2*cos(a) - 0.4*sin(b) + 0.1*cos(b) - 0.3*cos(c)
        if (x*x + z*z > 1e-18) exit 1
        if ($2*$2 > 0.01) moved = 1
    }
    END { exit !moved }' table.csv
imported "$robots/platform.xml"
code 0 check result.yaml
printed "mobility             1"
ok "the legs turn together" awk -F, '
    NR > 1 { d = $2 - $4; e = $2 + $3; f = $6 - 0.1 + 2*$2; if (d*d + e*e + f*f > 1e-18) exit 1; if ($2*$2 > 0.01) moved = 1 }
    END { exit !moved }' table.csv
noted "platform.xml:28: note: 'nothing' joins bodies that are one: it is left out"
noted "platform.xml:30: note: <joint> of <equality> is left out"
imported "$robots/actuators.xml"
has '    force: "max(-1, min(1, 50*(max(-1, min(1, p)) - position(a)) - 2*velocity(a))) + 3*max(-2, min(2, m))"'
has '  b: {kinetic: 0.3, static: 0.3, external: "2*max(-9, min(8, 7*g + 0.5 - 12*position(b) - 0.5*velocity(b))) + 4*(v - velocity(b))"}'
has "  p: 0.5    # where to, a"
has "  v: 0    # how fast, b"
has "    armature: 0.2"
for line in 22 23 24 25; do noted "actuators.xml:$line: note: <"; done
has '    force: "-1*max(-0.5, min(2, sin))"'
noted "'dampratio' of <position> is left out"
noted "actuators.xml:28: note: <fixed> of <tendon>, 'both', is left out"
noted "actuators.xml:29: note: <spatial> of <tendon>, '', is left out"
noted "joint 'd' has three freedoms: of limits, friction, armature and stiffness it keeps none"

imported "$robots/classes.xml"
noted "body 'd': no real body has its inertia"
imported "$robots/drives.xml"
cat >full.xml <<'XML'
<mujoco><compiler inertiafromgeom="auto"/>
<option wind="1 0 0"><flag gravity="disable"/></option>
<worldbody><site/><body gravcomp="1"><joint name="j" range="1 -1"/><joint range="0 0" type="slide"/>
<inertial pos="1 0 0" mass="2" fullinertia="2 3 2.5 0.2 -0.3 0.1"/><geom mesh="m"/></body></worldbody></mujoco>
XML
imported full.xml
has "    inertia: [2, 3, 2.5, 0.2, -0.3, 0.1]"
has "gravity: [0, 0, 0]"
has_no "stops:"
noted "full.xml:2: note: 'wind' of <option> is left out"
noted "full.xml:3: note: <site> of <worldbody> is left out"
noted "full.xml:3: note: 'gravcomp' of <body> is left out"
noted "full.xml:3: note: the range of joint 'j' is empty: it has no stops"
noted "1 of the geoms are meshes or the like, which are not read"

section "what is no robot"
refused '<!DOCTYPE robot [<!ENTITY a "b">]><robot/>' 1:17 "document type declaration is not read"
refused '<robot name="&a;"><link name="a"/></robot>' 1:1 "undefined entity"
refused '' 1:1 "no element found"
refused '<robot><link name="a"></robot>' 1:25 "mismatched tag"
refused '<sdf/>' 1:1 "<sdf> is no robot: the root <robot> (URDF) or <mujoco> (MJCF) was expected"
refused '<robot/>' 1:1 "at least one <link>"
refused $'<robot>\n <xacro:macro name="leg"/></robot>' 2:2 "xacro makes a URDF file of this one"
awk 'BEGIN { for (k = 0; k < 1000; k++) printf "<a>"; for (k = 0; k < 1000; k++) printf "</a>" }' >deep.xml
code 2 import deep.xml
said "<a> is no robot"
{ printf '<a>' && cat deep.xml && printf '</a>'; } >deeper.xml
code 2 import deeper.xml
said "deeper.xml:1:3001: error: elements are nested more than 1000 deep"
code 3 import nowhere.urdf
said "nowhere.urdf"
code 3 import .

# tree LINKS_AND_JOINTS: a robot of them.
link() { printf '<link name="%s"><inertial><mass value="1"/><inertia ixx="1" iyy="1" izz="1" ixy="0" ixz="0" iyz="0"/></inertial></link>\n' "$1"; }
ends='<parent link="a"/><child link="b"/>'
two="<robot>"$'\n'"$(link a)"$'\n'"$(link b)"$'\n'
refused $'<robot>\n<link/></robot>' 2:1 "a link has a name"
refused $'<robot>\n<link name="a"/>\n<link name="a"/></robot>' 3:1 "link 'a' is there already, in line 2"
refused "$two</robot>" 3:1 "link 'b' is no child of a joint, and neither is 'a': a robot has one root"
refused "$two<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/></joint></robot>" 4:1 'a joint has a <child link="..."/>'
refused "$two<joint name=\"j\" type=\"fixed\"><parent link=\"a\"/><child link=\"c\"/></joint></robot>" 4:48 "there is no link 'c'"
refused "$two<joint name=\"j\" type=\"fixed\">$ends</joint><joint name=\"k\" type=\"fixed\">$ends</joint></robot>" 4:73 "link 'b' is the child of two joints, the other one in line 4"
refused "$two<joint name=\"j\" type=\"fixed\">$ends</joint><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"a\"/></joint></robot>" 1:1 "go round in a circle"
refused "$two<link name=\"c\"/><joint name=\"j\" type=\"fixed\"><parent link=\"c\"/><child link=\"b\"/></joint><joint name=\"k\" type=\"fixed\"><parent link=\"b\"/><child link=\"c\"/></joint></robot>" 3:1 "link 'b' hangs in a circle of joints"
refused "$two<joint name=\"j\">$ends</joint></robot>" 4:1 "a joint has a name and a type"
refused "$two<joint name=\"j\" type=\"ball\">$ends</joint></robot>" 4:1 "joint 'j' has the type 'ball'"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<axis xyz=\"0 0 0\"/></joint></robot>" 4:68 "the axis is zero"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<axis xyz=\"0 0\"/></joint></robot>" 4:68 "3 numbers were expected"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<axis xyz=\"0 0 1 2\"/></joint></robot>" 4:68 "more than 3 numbers"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<axis xyz=\"0 0 nan\"/></joint></robot>" 4:68 "a finite number was expected"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<limit lower=\"1\" upper=\"-1\"/></joint></robot>" 4:68 "the lower limit is above the upper one"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<limit lower=\"\${x}\" upper=\"-1\"/></joint></robot>" 4:68 "not '\${x}'"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<dynamics damping=\"-1\"/></joint></robot>" 4:68 "damping and friction are not negative"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<mimic joint=\"k\"/></joint></robot>" 4:68 "joint 'j' mimics 'k', which is no joint that moves"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<mimic joint=\"j\"/></joint></robot>" 4:68 "joint 'j' follows others in a circle"
refused "$two<joint name=\"j\" type=\"revolute\">$ends<mimic joint=\"j\" multiplier=\"0\"/></joint></robot>" 4:68 "the multiplier is zero"
for start in 1 2 3; do # a circle of two is a circle from wherever it is entered
    of=(k j k)
    refused "$two$(link c)$(link d)<joint name=\"j\" type=\"revolute\">$ends<mimic joint=\"${of[start % 3]}\"/></joint>
<joint name=\"k\" type=\"revolute\"><parent link=\"a\"/><child link=\"c\"/><mimic joint=\"j\"/></joint>
<joint name=\"l\" type=\"revolute\"><parent link=\"a\"/><child link=\"d\"/><mimic joint=\"k\"/></joint></robot>" "" "follows others in a circle"
done
refused "${two/value=\"1\"/value=\"-1\"}<joint name=\"j\" type=\"fixed\">$ends</joint></robot>" 2:16 "the mass is negative"

section "inertias that no body has"
bad="${two/izz=\"1\"/izz=\"3\"}<joint name=\"j\" type=\"continuous\">$ends</joint></robot>"
bad="${bad/izz=\"1\"/izz=\"2.5\"}"
refused "$bad" 2:1 "no real body has the inertia of 'a', 'b'"
said "--balance"
imported bad.xml --balance
noted "bad.xml:2: note: body 'a': no real body has its inertia; it is that of a ball now, 1.66667 kg m^2"
has "    inertia: [1.5, 1.5, 1.5, 0, 0, 0]"
{
    echo '<robot name="many"><link name="root"/>'
    for k in $(seq 40); do
        link "a_link_with_a_long_name_$k" | sed 's/izz="1"/izz="-1"/'
        echo "<joint name=\"j$k\" type=\"fixed\"><parent link=\"root\"/><child link=\"a_link_with_a_long_name_$k\"/></joint>"
    done
    echo '</robot>'
} >many.urdf
code 2 import many.urdf
said "'a_link_with_a_long_name_1', 'a_link_with_a_long_name_2'"
said " more: the largest"

section "MJCF that is none"
refused '<mujoco/>' 1:1 "it has no <worldbody>"
refused '<mujoco><include file="x"/><worldbody/></mujoco>' 1:9 "<include> is to be expanded first"
refused '<mujoco><worldbody><replicate count="2"/></worldbody></mujoco>' 1:20 "<replicate> is to be expanded first"
refused '<mujoco><compiler coordinate="global"/><worldbody/></mujoco>' 1:9 "global coordinates"
refused '<mujoco><compiler eulerseq="xyw"/><worldbody/></mujoco>' 1:9 "eulerseq has three of x, y, z, X, Y, Z"
refused '<mujoco><compiler eulerseq="xyzx"/><worldbody/></mujoco>' 1:9 "eulerseq"
refused '<mujoco><compiler angle="grad"/><worldbody/></mujoco>' 1:9 "its angle is one of radian, degree"
refused '<mujoco><default><default/></default><worldbody/></mujoco>' 1:18 "a default within another one has a class"
refused '<mujoco><default><default class="a"/><default class="a"/></default><worldbody/></mujoco>' 1:38 "a default of this class is there already"
# body CONTENTS: one body whose contents begin in line 2
body() { printf '<mujoco><worldbody><body name="b">\n%s</body></worldbody>%s</mujoco>' "$1" "${2-}"; }
refused "$(body '<joint class="c"/>')" 2:1 "there is no default class 'c'"
refused "$(body '<joint type="screw"/>')" 2:1 "its type is one of hinge, slide, ball, free"
refused "$(body '<joint axis="0 0 0"/>')" 2:1 "the axis is zero"
refused "$(body '<joint limited="true" range="1 1"/>')" 2:1 "its range is empty"
refused "$(body '<joint damping="-1"/>')" 2:1 "are not negative"
refused "$(body '<joint/><freejoint/>')" 2:9 "a free joint is the only one of its body"
refused "$(body '<freejoint/><joint/>')" 2:13 "a free joint is the only one of its body"
refused "$(body '<body><freejoint/></body>')" 2:7 "a free joint is one of a body of the world"
refused "$(body '<body name="b"/>')" 2:1 "body 'b' is there already, in line 1"
refused "$(body '<joint name="j"/><joint name="j"/>')" 2:18 "joint 'j' is there already, in line 2"
refused "$(body '<geom type="box" size="1 1"/>')" 2:1 "its 'size' has too few numbers"
refused "$(body '<geom size="0"/>')" 2:1 "its 'size' is not positive"
refused "$(body '<geom size="1" mass="-1"/>')" 2:1 "its mass is negative"
refused "$(body '<geom type="capsule" size="1" fromto="0 0 0 0 0 0"/>')" 2:1 "both points of 'fromto' are the same"
refused "$(body '<geom size="1" quat="1 0 0 0" euler="0 0 0"/>')" 2:1 "the orientation is said twice"
refused "$(body '<geom size="1" quat="0 0 0 0"/>')" 2:1 "the orientation is zero"
refused "$(body '<inertial pos="0 0 0" mass="-1"/>')" 2:1 "the mass is negative"
refused "$(body '<inertial pos="0 0 0" mass="1"/>')" 2:1 "a diaginertia or fullinertia was expected"
refused "$(body '<joint name="j"/>' $'\n<actuator><motor joint="k"/></actuator>')" 3:11 "there is no joint 'k'"
refused "$(body '<joint name="j"/>' $'\n<actuator><motor joint="j" forcelimited="true"/></actuator>')" 3:11 "its forcerange is empty"
refused "$(body '<joint name="j"/>' $'\n<equality><connect body1="c"/></equality>')" 3:11 "there is no body 'c'"
refused "$(body '<joint name="j"/>' $'\n<equality><joint joint1="j" joint2="k"/></equality>')" 3:11 "there is no joint 'k'"

section "what is not a mechanism yet"
body '<joint name="j"/>' >massless.xml
code 0 import massless.xml -o massless.yaml
said "error: 'j' moves nothing"
said "the result is a file to be completed"
code 2 check massless.yaml

section "files"
imported "$robots/features.urdf"
cp result.yaml first.yaml
"$detent" import - -q <"$robots/features.urdf" >.out 2>.err
exited 0 $? "from standard input"
ok "nothing is said" test ! -s .err
ok "the same but for the name" cmp <(tail -n +2 .out) <(tail -n +2 first.yaml)
printed "# Made from <stdin> by detent import."
code 0 import "$robots/features.urdf" -q
ok "on standard output" cmp .out first.yaml
code 0 import "$robots/features.urdf" -q -o -
ok "the same" cmp .out first.yaml
code 0 import "$robots/features.urdf" -q -o /dev/null
code 3 import "$robots/features.urdf" -o nowhere/result.yaml
said "cannot write nowhere/result.yaml"
code 3 import "$robots/features.urdf" -o .
cp "$robots/features.urdf" own.urdf
code 1 import own.urdf -o ./own.urdf
said "would replace own.urdf, which it is made from"
ok "it is as it was" cmp own.urdf "$robots/features.urdf"
code 2 import bad.xml -o result.yaml
ok "an existing result stays" cmp result.yaml first.yaml
if [ -w /dev/full ]; then
    "$detent" import "$robots/features.urdf" >/dev/full 2>.err
    exited 3 $? "no room"
fi
ok "nothing is left behind" test -z "$(find . -name '*partial*')"
code 1 import
code 1 import a b

section "many links"
awk 'BEGIN {
    n = 20000
    print "<robot name=\"chain\">"
    for (k = 0; k <= n; k++) printf "<link name=\"l%d\"><inertial><mass value=\"1\"/><inertia ixx=\"1\" iyy=\"1\" izz=\"1\" ixy=\"0\" ixz=\"0\" iyz=\"0\"/></inertial></link>\n", k
    for (k = n; k > 0; k--) printf "<joint name=\"j%d\" type=\"revolute\"><parent link=\"l%d\"/><child link=\"l%d\"/><origin xyz=\"0.1 0 0\"/><limit lower=\"-1\" upper=\"1\"/>%s</joint>\n", k, k - 1, k, (k % 2 && k > 1 ? "<mimic joint=\"j" (k - 2) "\"/>" : "")
    print "</robot>"
}' >chain.urdf
code 0 import chain.urdf -q -o chain.yaml
ok "all of them" test "$(grep -c 'type: revolute' chain.yaml)" = 20000
ok "half of them follow the first" test "$(grep -c 'type: gear, joints: \[j[0-9]*, j1\], ratio: 1}' chain.yaml)" = 9999
code 0 import chain.urdf -q -o chain.yaml --without limits

finish
