/** Line drawings, 20 by 20. They say nothing by themselves: whatever holds one has a label. */
const PATHS = {
  chat: 'M3.500 9.500c0-3.300 2.900-6 6.500-6s6.500 2.700 6.500 6-2.900 6-6.500 6c-.9 0-1.800-.2-2.600-.5L4 16l.8-2.700A5.700 5.700 0 0 1 3.500 9.500Z',
  memories: 'M4 5h12M4 10h12M4 15h8',
  context:
    'M2.500 10S5 5 10 5s7.500 5 7.500 5-2.500 5-7.500 5-7.500-5-7.500-5Zm7.500 2.200a2.200 2.200 0 1 0 0-4.400 2.200 2.200 0 0 0 0 4.400Z',
  profile: 'M10 9.500a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-6 7c.5-3 3-4.500 6-4.500s5.500 1.500 6 4.500',
  settings: 'M3 6h8m4 0h2M3 14h2m4 0h8M13 4.200v3.600M7 12.200v3.600',
  plus: 'M10 4v12M4 10h12',
  search: 'M9 14.500a5.500 5.500 0 1 0 0-11 5.500 5.500 0 0 0 0 11Zm4-1.500 3.500 3.500',
  trash: 'M4 6h12M8 6V4h4v2m-6.500 0 .6 10h7.800l.6-10',
  pencil: 'm4 16 .7-3.200L13 4.500a1.600 1.600 0 0 1 2.300 2.300L7 15.200 4 16Z',
  close: 'm5 5 10 10M15 5 5 15',
  send: 'M10 16V4m0 0L5 9m5-5 5 5',
  stop: 'M6 6h8v8H6z',
  retry: 'M15.500 10a5.500 5.500 0 1 1-1.700-4M14 2.800V6h-3.200',
  arrow: 'M4 10h12m-4.500-4.500L16 10l-4.500 4.500',
  back: 'M16 10H4m4.500-4.500L4 10l4.500 4.500',
  help: 'M7.500 7.500a2.500 2.500 0 1 1 3.500 2.300c-.7.3-1 .8-1 1.700m0 2.500v.1',
  clock: 'M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14Zm0-10.500V10l2.500 2',
  check: 'm4.500 10.500 3.500 3.500 7.500-8',
  spark: 'M10 3c.6 3.900 2.100 6 7 7-4.900 1-6.400 3.100-7 7-.6-3.900-2.100-6-7-7 4.900-1 6.400-3.100 7-7Z',
} as const

export type IconName = keyof typeof PATHS

/** One of the drawings. */
export function Icon({ name }: { readonly name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" width="20" height="20" aria-hidden="true" focusable="false">
      <path d={PATHS[name]} />
    </svg>
  )
}
