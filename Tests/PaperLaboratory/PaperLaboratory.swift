import Foundation
import Paper
import UndercroftCore
import UndercroftCrashTesting

@main struct PaperLaboratory {
  static func main() {
    CrashLaboratory([
      CrashSubject("paper", .powerLoss) { try PaperBackend(in: $0.appending(path: "store")) }
    ]).main()
  }
}
