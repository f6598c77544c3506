import UndercroftCore
import UndercroftFileSystem
import UndercroftFoundation

/// The progress that a writer reported while its calls failed, and the way in which its process
/// ended.
struct FaultRun {
  /// The way in which the process of a writer ended.
  enum End: Equatable {
    case finished
    case hung
    case signal(Int32)
    case status(Int32)

    init(status: Int32) {
      if status & 0x7f != 0 {
        self = .signal(status & 0x7f)
      } else {
        self = status == 0 ? .finished : .status(status >> 8)
      }
    }
  }

  var progress: [WriterProgress] = []
  var end = End.finished

  /// The violated guarantee that the writer detected, or `nil` if there is none.
  var problem: String? {
    for case .broken(let text) in progress { return text }
    return nil
  }

  /// Returns a description of the last error that the writer reported before the progress line at
  /// `index`.
  func lastError(before index: Int) -> String {
    for progress in progress[..<index].reversed() {
      switch progress {
      case .refused(let number, let text):
        return "batch \(number) was rejected (\(FaultError(line: text).text))"
      case .failed(let text): return "an error (\(FaultError(line: text).text))"
      default: continue
      }
    }
    return "an error"
  }

  /// The errors that the writer received, in their order.
  var errors: [FaultError] {
    progress.compactMap { progress in
      switch progress {
      case .refused(_, let text), .failed(let text): FaultError(line: text)
      default: nil
      }
    }
  }
}
