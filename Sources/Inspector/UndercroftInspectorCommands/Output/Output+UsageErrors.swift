import ArgumentParser
import Foundation
import UndercroftCore
import UndercroftInspection

extension Output {
  /// Runs `body`, and exits with the status for wrong usage if it throws an error with a code,
  /// because an argument of the command is then not valid.
  static func asUsageErrors<Result>(
    _ format: OutputFormat, _ code: StorageError.Code = .misuse, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as StorageError where error.code == code {
      report(error, in: format)
      throw ExitCode(EX_USAGE)
    }
  }
}
