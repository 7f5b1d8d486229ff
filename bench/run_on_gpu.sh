#!/usr/bin/env bash
# Runs the installed benchmarks on this machine's GPU and prints the ratios.
#
#   run_on_gpu.sh PREFIX FOLDER [flags of millrace_bench]
#     PREFIX   where the components "library" and "bench" are installed; it may have been carried here
#     FOLDER   gets benchmarks.json, benchmarks.txt, gpu.txt and messages.txt
#
# An NVIDIA driver without the packages that make it known to Vulkan is found all the same: where VK_DRIVER_FILES is
# unset, the driver's manifest is looked for, or written. The loader, libvulkan.so.1, has to be where libraries are
# found; LD_LIBRARY_PATH will do.
set -euo pipefail

if [ $# -lt 2 ]; then
  echo 'usage: run_on_gpu.sh PREFIX FOLDER [flags of millrace_bench]' >&2
  exit 2
fi
prefix=$1
folder=$2
shift 2
mkdir -p "$folder"
folder=$(cd "$folder" && pwd)

find_manifest() {
  local candidate
  for candidate in /etc/vulkan/icd.d/nvidia_icd*.json /usr/share/vulkan/icd.d/nvidia_icd*.json \
    /usr/local/nvidia/share/vulkan/icd.d/nvidia_icd*.json; do
    if [ -f "$candidate" ]; then
      echo "$candidate"
      return
    fi
  done
  printf '{"file_format_version": "1.0.1", "ICD": {"library_path": "libGLX_nvidia.so.0", "api_version": "1.3.0"}}\n' \
    >"$folder/nvidia_icd.json"
  echo "$folder/nvidia_icd.json"
}

if [ -z "${VK_DRIVER_FILES-}" ]; then
  VK_DRIVER_FILES=$(find_manifest)
  export VK_DRIVER_FILES
fi
# The older name of the variable, for loaders that do not know the newer one.
export VK_ICD_FILENAMES=${VK_ICD_FILENAMES-$VK_DRIVER_FILES}

nvidia-smi >"$folder/gpu.txt" 2>&1 || echo 'nvidia-smi tells nothing.' >"$folder/gpu.txt"
if ! "$prefix/bin/millrace_bench" --rows=4000000,64000000 --benchmark_min_time=0.3 --benchmark_repetitions=5 \
  --benchmark_enable_random_interleaving=true --benchmark_out="$folder/benchmarks.json" \
  --benchmark_out_format=json "$@" >"$folder/benchmarks.txt" 2>"$folder/messages.txt"; then
  cat "$folder/benchmarks.txt" "$folder/messages.txt" >&2
  echo "The benchmarks failed; the driver's manifest was $VK_DRIVER_FILES, and libvulkan.so.1 has to be found, too." >&2
  exit 1
fi
sed -n '/^Ratio of/,$p' "$folder/benchmarks.txt"
