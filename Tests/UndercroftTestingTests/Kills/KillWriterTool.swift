import TestSupport

/// A runner of the program `KillWriter`, which kills writers and starts contending processes.
enum KillWriterTool {
  static func run(_ arguments: String...) async throws -> ProgramResult {
    try await run(arguments)
  }

  static func run(_ arguments: [String]) async throws -> ProgramResult {
    // On a slow machine, a sample of crash states takes longer than other programs.
    try await Program(built: "KillWriter").run(arguments, within: .hangLimit * 3)
  }
}
