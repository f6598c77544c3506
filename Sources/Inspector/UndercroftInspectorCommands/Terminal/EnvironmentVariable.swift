import Foundation

/// The environment variables of the process.
enum EnvironmentVariable {
  /// Returns the value of a variable, which may be empty, or `nil` if the variable is not set.
  static func value(of name: String) -> String? { getenv(name).map { String(cString: $0) } }

  /// Returns the value of a variable, or `nil` if the variable is not set or empty.
  static func text(of name: String) -> String? { value(of: name).flatMap { $0.isEmpty ? nil : $0 } }
}
