import ArgumentParser

/// Runs random checks of every mode against their models: `make nightly`.
@main
struct NightlyTool: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "nightly", abstract: "Compares the library with models on random cases.",
    subcommands: [Check.self, Execute.self], defaultSubcommand: Check.self)
}
