import UndercroftFileSystem
import UndercroftFoundation

/// The path of the running program.
enum ProgramPath {
  /// Returns `command` with the full path of the running program
  /// as its first word, if the first word names that program.
  ///
  /// The first word need not be a path, because the shell finds a program in the folders of `PATH`.
  /// The full path is the target of the symbolic link `/proc/self/exe`.
  static func resolved(_ command: [String]) -> [String] {
    guard command.first == CommandLine.arguments[0], let path = running else { return command }
    return [path] + command.dropFirst()
  }

  private static let running: String? = {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = buffer.withUnsafeMutableBytes { bytes in
      bytes.bindMemory(to: CChar.self).baseAddress
        .map { readlink("/proc/self/exe", $0, bytes.count) } ?? -1
    }
    return count > 0 ? String(decoding: buffer.prefix(count), as: UTF8.self) : nil
  }()
}
