import Testing
import UndercroftInspection

@Suite struct ColorChoiceTests {
  private func isColored(
    _ variables: KeyValuePairs<String, String> = [:], isTerminal: Bool = true,
    _ choice: ColorChoice = .auto
  ) -> Bool {
    choice.isColored(isTerminal: isTerminal) { name in
      variables.first { $0.key == name }?.value
    }
  }

  @Test func `text has colours only on a terminal by default`() {
    #expect(isColored())
    #expect(!isColored(isTerminal: false))
  }

  @Test func `the choice of the user takes precedence over all variables`() {
    #expect(isColored(["NO_COLOR": "1", "TERM": "dumb"], isTerminal: false, .always))
    #expect(!isColored(["FORCE_COLOR": "1", "CLICOLOR_FORCE": "1"], .never))
  }

  @Test func `variables turn colours off on a terminal`() {
    #expect(!isColored(["NO_COLOR": "1"]))
    #expect(!isColored(["CLICOLOR": "0"]))
    #expect(!isColored(["FORCE_COLOR": "0"]))
    #expect(!isColored(["TERM": "dumb"]))
    #expect(!isColored(["NO_COLOR": "1", "FORCE_COLOR": "1"]))
  }

  @Test func `variables turn colours on without a terminal`() {
    #expect(isColored(["FORCE_COLOR": "1"], isTerminal: false))
    #expect(isColored(["CLICOLOR_FORCE": "1", "TERM": "dumb"], isTerminal: false))
    #expect(!isColored(["CLICOLOR_FORCE": "0"], isTerminal: false))
    #expect(!isColored(["CLICOLOR": "1"], isTerminal: false))
  }

  @Test func `an empty variable has no effect`() {
    #expect(isColored(["NO_COLOR": "", "CLICOLOR": ""]))
    #expect(!isColored(["FORCE_COLOR": ""], isTerminal: false))
  }
}
