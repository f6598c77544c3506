import ArgumentParser

/// A program that compares the library with models by random checks in every mode: `make nightly`.
@main
struct NightlyTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly", abstract: "Compares the library with models on random cases.",
    subcommands: [Check.self, Execute.self], defaultSubcommand: Check.self)
}
