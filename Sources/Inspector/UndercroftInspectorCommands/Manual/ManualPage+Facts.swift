extension ManualPage {
  /// Writes the sections about the environment of the command, its exit statuses and its use.
  func writeFacts(_ text: inout ManualText) {
    write("ENVIRONMENT", "It Ev", ManualFacts.variables, &text)
    write("FILES", "It Pa", ManualFacts.files, &text)
    write("EXIT STATUS", "It", ManualFacts.statuses, &text)
    let examples = ManualExample.all.filter { words.dropFirst().elementsEqual($0.command) }
    if !examples.isEmpty || words.count == 1 {
      text.macro("Sh EXAMPLES")
      for example in examples.isEmpty ? Array(ManualExample.all.prefix(4)) : examples {
        text.sentences(example.purpose)
        text.example(example.line)
      }
    }
    text.macro("Sh SEE ALSO")
    text.macro(words.count > 1 ? "Xr \(words[0]) 1" : "Xr sqlite3 1")
    text.macro("Sh SECURITY CONSIDERATIONS")
    text.sentences(ManualFacts.security)
  }

  private func write(
    _ title: String, _ macro: String, _ facts: [ManualFacts.Fact], _ text: inout ManualText
  ) {
    text.macro("Sh " + title)
    text.macro("Bl -tag -width indent")
    for fact in facts where applies(fact) {
      text.macro(macro, fact.name)
      text.sentences(fact.text)
    }
    text.macro("El")
  }

  private func applies(_ fact: ManualFacts.Fact) -> Bool {
    fact.commands.isEmpty || words.count == 1
      || fact.commands.contains { words.dropFirst().elementsEqual([$0]) }
  }
}
