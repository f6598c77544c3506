/// A reader of the output of `strace -f -X raw -xx`.
///
/// Each call has one line, or two if a call of another thread interrupted it.
package struct StraceText {
  private var calls: [SystemCall] = []
  /// The first parts of calls that have not ended yet, keyed by thread.
  private var unfinished: [Int: (line: Int, text: [UInt8])] = [:]

  /// The calls that are ordered by their beginning.
  ///
  /// Another thread may receive the descriptor of a `close` before the call ends. A new thread or
  /// process may make calls before the call that has created it ends.
  private static let takesEffectEarly: Set = ["close", "clone", "clone3", "fork", "vfork"]

  /// Returns all completed calls in the order in which they took effect: most of them by their end,
  /// and the calls in ``takesEffectEarly`` by their beginning.
  package static func calls(in text: [UInt8]) throws(TraceError) -> [SystemCall] {
    var reader = StraceText()
    var number = 0
    for line in text.split(separator: UInt8(ascii: "\n")) {
      do throws(TraceError) {
        try reader.read(Array(line), number)
      } catch {
        throw TraceError(
          """
          cannot read line \(number + 1) of the recording: \(error); record the writer again with \
          another version of strace, because the format of the recording depends on the version
          """)
      }
      number += 1
    }
    return reader.calls.sorted { $0.end < $1.end }
  }

  private mutating func read(_ line: [UInt8], _ number: Int) throws(TraceError) {
    var scanner = StraceScanner(line)
    guard let thread = scanner.digits() else {
      throw TraceError("the line does not begin with a thread number")
    }
    scanner.skipSpaces()
    let rest = scanner.rest
    // Skip signals and ends of threads.
    if rest.starts(with: "---".utf8) || rest.starts(with: "+++".utf8) { return }
    if rest.starts(with: "<... ".utf8) {
      guard let end = Self.find(" resumed>", in: rest) else {
        throw TraceError("the line begins with \"<...\", but does not contain \"resumed>\"")
      }
      guard let (start, beginning) = unfinished.removeValue(forKey: thread) else {
        throw TraceError(
          """
          the line contains the end of a system call of the thread \(thread), but no earlier line \
          contains the beginning of this call
          """)
      }
      try finish(beginning + rest[end...], thread, start, number)
    } else if let cut = Self.find(" <unfinished ...>", in: rest), cut == rest.endIndex {
      let marker = " <unfinished ...>".utf8.count
      unfinished[thread] = (number, Array(rest.dropLast(marker)))
    } else {
      try finish(Array(rest), thread, number, number)
    }
  }

  private mutating func finish(
    _ text: [UInt8], _ thread: Int, _ start: Int, _ end: Int
  ) throws(TraceError) {
    // A call of a thread that was killed before or during the call has no result. strace may not
    // know its arguments or its name: `????( <unfinished ...>`, `????() = ? <unavailable>`.
    if text.starts(with: "???".utf8) || Self.hasNoResult(text) { return }
    var scanner = StraceScanner(text)
    guard let name = scanner.word(), scanner.skip("(") else {
      let start = String(decoding: text.prefix(80), as: UTF8.self)
      throw TraceError("the text \"\(start)\" does not begin with a system call")
    }
    let arguments = scanner.arguments(until: UInt8(ascii: ")"))
    scanner.skipSpaces()
    guard let arguments, scanner.skip("=") else {
      throw TraceError(
        "the text of the call to \(name) does not have the form \"name(arguments) = result\"")
    }
    scanner.skipSpaces()
    guard let result = scanner.integer() else {
      throw TraceError("the result of the call to \(name) is not a number")
    }
    let order = Self.takesEffectEarly.contains(name) ? start : end
    calls.append(
      SystemCall(
        thread: thread, name: name, arguments: arguments, result: result, begin: start, end: order))
  }

  /// Returns whether the text ends with `= ?` or `= ? <unavailable>`.
  private static func hasNoResult(_ text: [UInt8]) -> Bool {
    ["= ?", "= ? <unavailable>"].contains { ending in
      text.suffix(ending.utf8.count).elementsEqual(ending.utf8)
    }
  }

  /// Returns the index after the first `needle`, or `nil` if there is none.
  ///
  /// Searches only the start and the end of the line,
  /// because a long line contains data between them.
  private static func find(_ needle: String, in text: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(needle.utf8)
    guard text.count >= wanted.count else { return nil }
    // Search only the ends of a line: a long line contains data, and the needles are at its ends.
    let starts = [
      text.startIndex..<min(text.endIndex, text.startIndex + 80),
      text.endIndex - wanted.count..<text.endIndex,
    ]
    for range in starts {
      for index in range where text[index...].starts(with: wanted) { return index + wanted.count }
    }
    return nil
  }
}
