import Testing
import UndercroftCore

@Suite struct CapabilitiesTests {
  @Test func `the description of a capability set lists the names of its capabilities`() {
    let set: Capabilities = [.crashSafe, .persistent]
    #expect("\(set)" == ".persistent, .crashSafe")
    #expect("\(Capabilities([]))" == "")
  }

  @Test func `data kinds are equal if their names are equal`() {
    #expect(DataKind.preference.withMaximumValueSize(1) == .preference)
    #expect(DataKind("preference") == .preference)
    #expect(Set(DataKind.standardKinds).count == 7)
    #expect("\(DataKind.secret)" == ".secret")
  }
}
