import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

extension Output {
  /// Runs `body`, and exits with the status for wrong usage if it throws
  /// ``StorageError/Code/misuse``, because an argument of the command is then not valid.
  static func asUsageErrors<Result>(
    _ format: OutputFormat, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StorageError where error.code == .misuse {
      report(error, in: format)
      throw ExitCode(EX_USAGE)
    }
  }
}
