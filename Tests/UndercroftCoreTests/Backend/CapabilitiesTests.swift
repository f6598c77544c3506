import Testing
import UndercroftCore

@Suite struct CapabilitiesTests {
  @Test func `a set of capabilities is described by the names of its members`() {
    let set: Capabilities = [.crashSafe, .persistent]
    #expect("\(set)" == ".persistent, .crashSafe")
    #expect("\(Capabilities([]))" == "")
  }

  @Test func `data kinds are equal if their names are equal`() {
    #expect(DataKind.preference.withMaximumValueSize(1) == .preference)
    #expect(DataKind("preference") == .preference)
    #expect(Set(DataKind.all).count == 7)
    #expect("\(DataKind.secret)" == ".secret")
  }
}
