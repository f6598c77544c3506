import Foundation
import UndercroftCore

/// A reader of the passphrases that the user types.
enum Passphrase {
  /// The maximum number of bytes, which protects from an endless line.
  private static let maximumCount = 1 << 16

  /// Reads one line from standard input, or without echo from the terminal if standard input is
  /// one.
  ///
  /// Returns `nil` at the end of the input.
  static func read() -> String? { read("Passphrase: ") }

  /// Reads a new passphrase: twice on a terminal, because the user does not see what is typed, and
  /// otherwise one line from standard input.
  ///
  /// - Throws: ``StorageError/Code/misuse`` if the input is at its end, or if the user has typed
  ///   two different passphrases.
  static func readNew() throws(StorageError) -> String {
    guard let typed = read("New passphrase: ") else {
      throw StorageError(
        .misuse, "cannot read the new passphrase: the input is at its end",
        suggestion: """
          type the passphrase, or write it as a line to standard input, after the line with the \
          present passphrase if that is requested as well
          """)
    }
    guard isatty(STDIN_FILENO) == 0 || read("Repeat the new passphrase: ")?.exact == typed.exact
    else {
      throw StorageError(
        .misuse, "cannot use the new passphrase: the two inputs differ",
        suggestion: "repeat the command, and type the same passphrase twice")
    }
    return typed
  }

  private static func read(_ prompt: String) -> String? {
    guard isatty(STDIN_FILENO) == 1 else { return line(from: STDIN_FILENO) }
    let terminal = open("/dev/tty", O_RDWR | O_CLOEXEC)
    defer { if terminal >= 0 { close(terminal) } }
    let descriptor = terminal >= 0 ? terminal : STDIN_FILENO
    return TerminalEcho.withoutEcho(on: descriptor) {
      let prompt = Array(prompt.utf8)
      _ = write(descriptor, prompt, prompt.count)
      return line(from: descriptor)
    }
  }

  private static func line(from descriptor: Int32) -> String? {
    var bytes: [UInt8] = []
    // The bytes are overwritten, so that the memory of the process contains fewer copies of them.
    defer { for index in bytes.indices { bytes[index] = 0 } }
    bytes.reserveCapacity(maximumCount)
    var byte: UInt8 = 0
    while bytes.count < maximumCount {
      let count = Foundation.read(descriptor, &byte, 1)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { return bytes.isEmpty ? nil : String(decoding: bytes, as: UTF8.self) }
      if byte == UInt8(ascii: "\n") { break }
      bytes.append(byte)
    }
    // A file from another system may end its lines with both characters.
    if bytes.last == UInt8(ascii: "\r") { bytes.removeLast() }
    return String(decoding: bytes, as: UTF8.self)
  }
}
