/// Reads the output of `strace -f -X raw -xx`: one line a call, and two for a call that another
/// thread interrupted.
package struct StraceText {
  private var calls: [SystemCall] = []
  /// The beginnings of calls that have not ended yet, by thread.
  private var unfinished: [Int: (line: Int, text: [UInt8])] = [:]

  /// Returns all calls in the order in which they ended.
  package static func calls(in text: [UInt8]) throws(TraceError) -> [SystemCall] {
    var reader = StraceText()
    var number = 0
    for line in text.split(separator: UInt8(ascii: "\n")) {
      try reader.read(Array(line), number)
      number += 1
    }
    return reader.calls.sorted { $0.end < $1.end }
  }

  private mutating func read(_ line: [UInt8], _ number: Int) throws(TraceError) {
    var scanner = StraceScanner(line)
    guard let thread = scanner.digits() else {
      throw TraceError("line \(number + 1) of the recording begins with no thread number")
    }
    scanner.skipSpaces()
    let rest = scanner.rest
    // Signals and ends of threads.
    if rest.starts(with: "---".utf8) || rest.starts(with: "+++".utf8) { return }
    if rest.starts(with: "<... ".utf8) {
      guard let (start, beginning) = unfinished.removeValue(forKey: thread),
        let end = Self.find(" resumed>", in: rest)
      else { throw TraceError("line \(number + 1) resumes a call that did not begin") }
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
    var scanner = StraceScanner(text)
    guard let name = scanner.word(), scanner.skip("(") else {
      throw TraceError("line \(end + 1) of the recording is no call")
    }
    let arguments = scanner.arguments(until: UInt8(ascii: ")"))
    scanner.skipSpaces()
    guard let arguments, scanner.skip("=") else {
      throw TraceError("line \(end + 1) of the recording, a call of \(name), cannot be read")
    }
    scanner.skipSpaces()
    // The last call of a process returns nothing: "= ?".
    guard let result = scanner.integer() else { return }
    // The kernel frees a descriptor at the beginning of `close`; another thread may get it before
    // the call ends.
    let order = name == "close" ? start : end
    calls.append(
      SystemCall(
        thread: thread, name: name, arguments: arguments, result: result, begin: start, end: order))
  }

  /// Returns the index behind the first `needle`, or `nil`.
  private static func find(_ needle: String, in text: ArraySlice<UInt8>) -> Int? {
    let wanted = Array(needle.utf8)
    guard text.count >= wanted.count else { return nil }
    // Long lines are data; the words that matter stand at the ends.
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
