/// One line of progress that a writer reports.
///
/// The writer prints the line with a single `write`, so
/// that the recording contains the line as one call.
package enum WriterProgress: Sendable, Equatable {
  /// Batch n is about to be applied: "B n".
  case begun(Int)
  /// Batch n was acknowledged: "A n".
  case acknowledged(Int)
  /// A checkpoint made the first n batches durable: "D n".
  case durable(Int)
  /// Batch n was refused with an error, whose text follows: "E n text".
  case refused(Int, String)
  /// The writer detected a violated guarantee: "X text".
  case broken(String)
  /// An error occurred outside a batch, for example when the store was opened: "F text".
  case failed(String)
  /// The files were copied for the n-th time, right after an error: "C n".
  case copied(Int)
  /// The writer begins its run with fault n of the faults that it received: "T n".
  case trial(Int)

  /// Parses one line, or returns `nil` if the line does not report progress.
  package init?(_ line: some StringProtocol) {
    let words = line.split(separator: " ", maxSplits: 2)
    guard let word = words.first, words.count >= 2 else { return nil }
    let text = String(line.dropFirst(2))
    switch word {
    case "X": self = .broken(text)
    case "F": self = .failed(text)
    default:
      guard let number = Int(words[1]) else { return nil }
      switch word {
      case "B": self = .begun(number)
      case "A": self = .acknowledged(number)
      case "D": self = .durable(number)
      case "T": self = .trial(number)
      case "C": self = .copied(number)
      case "E": self = .refused(number, words.count > 2 ? String(words[2]) : "")
      default: return nil
      }
    }
  }

  var line: String {
    switch self {
    case .begun(let number): "B \(number)\n"
    case .acknowledged(let number): "A \(number)\n"
    case .durable(let number): "D \(number)\n"
    case .refused(let number, let text): "E \(number) \(Self.oneLine(text))\n"
    case .broken(let text): "X \(Self.oneLine(text))\n"
    case .failed(let text): "F \(Self.oneLine(text))\n"
    case .trial(let number): "T \(number)\n"
    case .copied(let number): "C \(number)\n"
    }
  }

  private static func oneLine(_ text: String) -> String {
    String(text.map { $0.isNewline ? " " : $0 })
  }
}
