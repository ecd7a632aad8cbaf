//! Made manifests.

#![allow(clippy::unwrap_used, reason = "a test may fail")]

use super::*;
use crate::payload::template::Format;

const MANIFEST: &str = r##"<instrumentationManifest xmlns="http://schemas.microsoft.com/win/2004/08/events"><instrumentation><events>
<provider name="P" guid="{01020304-0506-0708-090a-0b0c0d0e0f10}" symbol="P_">
 <tasks><task name="T" value="1"/></tasks>
 <maps>
  <valueMap name="V"><map value="0x10" message="$(string.v16)"/><map value="2" message="$(string.v2)"/><map value="3" message="$(mc.3)"/></valueMap>
  <bitMap name="B"><map value="0x1" message="$(string.v2)"/></bitMap>
 </maps>
 <templates>
  <template tid="args">
   <data name="n" inType="win:UInt16"/>
   <data name="v" inType="win:UInt32" map="V"/>
   <data name="list" inType="win:Pointer" count="n"/>
   <data name="fixed" inType="win:UnicodeString" length="4" count="3"/>
   <struct name="s" count="n"><data name="size" inType="win:UInt32"/><data name="bytes" inType="win:Binary" length="size"/></struct>
   <data name="hex" inType="win:UInt32" outType="win:HexInt32"/>
   <UserData><x/></UserData>
  </template>
  <template tid="bad"><data name="a" inType="win:UInt8"/><data name="b" inType="win:Binary" length="later"/><data name="later" inType="win:UInt8"/></template>
  <template tid="outer"><data name="n" inType="win:UInt8"/><struct name="s"><data name="b" inType="win:Binary" length="n"/></struct></template>
  <template tid="odd"><data name="a" inType="trace:Odd"/></template>
 </templates>
 <events>
  <event value="1" version="2" symbol="Started" level="win:Informational" task="T" opcode="win:Start" keywords="K1 K2" channel="C" template="args" message="$(string.m)"/>
  <event value="0x2" template="bad"/><event value="3" template="outer"/><event value="4" template="odd"/><event value="5" template="none"/>
  <event value="65536"/><event/>
 </events>
</provider></events></instrumentation>
<localization><resources culture="de-DE"><stringTable><string id="v2" value="zwei"/></stringTable></resources>
<resources culture="en-US"><stringTable><string id="v2" value="two "/><string id="v16" value="sixteen"/><string id="m" value="%1 &lt;x&gt;"/></stringTable></resources></localization>
</instrumentationManifest>"##;

fn provider_of(text: &str) -> ManifestProvider {
    let mut manifest = Manifest::parse(text);
    assert_eq!((manifest.problem.take(), manifest.providers.len()), (None, 1));
    manifest.providers.pop().unwrap()
}

#[test]
fn names_of_an_event() {
    let provider = provider_of(MANIFEST);
    assert_eq!(provider.guid.unwrap().to_string(), "01020304-0506-0708-090a-0b0c0d0e0f10");
    let event = &provider.events[&(1, 2)];
    let names = [
        &event.provider_name,
        &event.event_name,
        &event.task_name,
        &event.opcode_name,
        &event.level_name,
    ];
    let names: Vec<_> = names.iter().map(|name| name.as_deref().unwrap()).collect();
    assert_eq!(names, ["P", "Started", "T", "Start", "Informational"]);
    assert_eq!(event.keyword_names, [Arc::from("K1"), Arc::from("K2")]);
    assert_eq!(
        (event.message.as_deref(), event.channel_name.as_deref()),
        (Some("%1 <x>"), Some("C"))
    );
    assert_eq!(provider.events.len(), 5);
}

#[test]
fn fields_of_a_template() {
    let provider = provider_of(MANIFEST);
    let fields = &provider.events[&(1, 2)].template.fields();
    let names: Vec<_> = fields.iter().map(|field| field.name.as_ref()).collect();
    assert_eq!(names, ["n", "v", "list", "fixed", "s", "hex"]);
    let Names::Map(map) = &fields[1].names else { unreachable!() };
    assert_eq!(map.entries, [(2, "two".to_owned()), (16, "sixteen".to_owned())]);
    assert_eq!((&fields[2].ty, fields[2].repeat), (&FieldType::Pointer, Repeat::Field(0)));
    assert_eq!(
        (&fields[3].ty, fields[3].repeat),
        (&FieldType::Utf16(Size::Fixed(4)), Repeat::Fixed(3))
    );
    let FieldType::Struct(members) = &fields[4].ty else {
        unreachable!()
    };
    assert_eq!(
        (&members.fields()[1].ty, fields[4].repeat),
        (&FieldType::Bytes(Size::Field(0)), Repeat::Field(0))
    );
    assert_eq!(fields[5].format, Format::Hex);
}

#[test]
fn what_cannot_be_lowered_is_told() {
    let provider = provider_of(MANIFEST);
    let problem = |id| {
        let event = &provider.events[&(id, 0)];
        (event.template.fields().len(), event.problem.clone().unwrap())
    };
    let reference = |field: &str, to: &str| SchemaProblem::Reference {
        field: field.to_owned(),
        to: to.to_owned(),
    };
    assert_eq!(problem(2), (1, reference("b", "later")));
    assert_eq!(problem(3), (2, reference("b", "n")));
    assert_eq!(
        problem(4),
        (
            0,
            SchemaProblem::FieldType {
                field: "a".to_owned(),
                found: "trace:Odd".to_owned()
            }
        )
    );
    assert_eq!(problem(5), (0, reference("the event", "template none")));
}

#[test]
fn cut_anywhere() {
    for length in (0..MANIFEST.len()).filter(|length| MANIFEST.is_char_boundary(*length)) {
        let manifest = Manifest::parse(&MANIFEST[..length]);
        assert!(manifest.problem.is_some() || length == 0, "{length}");
        assert!(manifest.providers.iter().all(|provider| provider.events.len() <= 5));
    }
    let large = " ".repeat(MAX_MANIFEST + 1);
    assert!(matches!(
        Manifest::parse(&large).problem,
        Some(SchemaProblem::TooLarge { limit: MAX_MANIFEST, .. })
    ));
}

#[test]
fn maps_do_not_multiply_texts() {
    let long = "x".repeat(100_000);
    let entries: String = (0..1000)
        .map(|value| format!(r#"<map value="{value}" message="$(string.x)"/>"#))
        .collect();
    let text = format!(
        r#"<instrumentationManifest><instrumentation><events><provider name="P"><maps><valueMap name="V">{entries}</valueMap></maps>
        <templates><template tid="t"><data name="a" inType="win:UInt8" map="V"/></template></templates>
        <events><event value="1" template="t"/></events></provider></events></instrumentation><localization><resources>
        <stringTable><string id="x" value="{long}"/></stringTable></resources></localization></instrumentationManifest>"#
    );
    let provider = provider_of(&text);
    let Names::Map(map) = &provider.events[&(1, 0)].template.fields()[0].names else {
        unreachable!()
    };
    assert_eq!(map.entries.len(), 1);
}

#[test]
fn random_changes_never_panic() {
    let mut state = 0x2545_F491_4F6C_DD1D_u64;
    let mut next = |below: usize| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        usize::try_from(state >> 33).unwrap() % below
    };
    let mut read = 0;
    for _ in 0..2000 {
        let mut bytes = MANIFEST.as_bytes().to_vec();
        for _ in 0..1 + next(6) {
            let (at, from) = (next(bytes.len()), next(MANIFEST.len()));
            bytes[at] = MANIFEST.as_bytes()[from];
        }
        let manifest = Manifest::parse(&String::from_utf8_lossy(&bytes));
        read += manifest.providers.iter().map(|provider| provider.events.len()).sum::<usize>();
    }
    assert!(read > 1000, "{read}");
}
